/** [ST-6] The list of folders is made again from the histories. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { DoctorProblem } from '../../../../src/contract/doctor.ts'
import {
  deleteRebuiltList,
  openAppStore,
  readRebuiltList,
  stampsAtRest,
  writeListRev
} from '../../../../src/main/engine/store/app-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { alignFolderList } from '../../../../src/main/engine/workspaces/folder-list.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { readTree, writeFiles } from '../../../support/tree.ts'

const removeList = ({ dataDir }: RecordedFolder): void => {
  for (const name of readdirSync(dataDir)) if (name.startsWith('app.db')) rmSync(join(dataDir, name))
}

const emptyList = (folder: RecordedFolder): void => {
  removeList(folder)
  writeFileSync(join(folder.dataDir, 'app.db'), '')
}

/** Adds a folder `name` beside the first one; returns its id and root. */
async function addBeside(folder: RecordedFolder, name: string): Promise<{ id: string; root: string }> {
  const root = join(dirname(folder.root), name)
  writeFiles(root, { 'file.txt': `${name}\n` })
  const { workspace } = await folder.engine.call('workspaces.add', { folder: root, wait: true })
  return { id: workspace.id, root }
}

/** Changes files of the data folder while no engine has them open. */
async function whileClosed(folder: RecordedFolder, act: () => void): Promise<void> {
  await folder.engine.close()
  act()
  await folder.reopen()
}

async function listed({ engine }: RecordedFolder): Promise<{ recorded: string[]; removed: string[] }> {
  const { workspaces, left } = await engine.call('workspaces.list', {})
  return {
    recorded: workspaces.map(({ root }) => basename(root)).sort(),
    removed: left.map(({ root }) => basename(root))
  }
}

async function problems({ engine }: RecordedFolder): Promise<readonly DoctorProblem[]> {
  return (await engine.call('doctor.run', { deep: true })).problems
}

const copyOfList = ({ dataDir }: RecordedFolder): string => join(dataDir, 'copy.db')

/** Keeps a copy of app.db as it is now. */
const keepList = (folder: RecordedFolder): Promise<void> =>
  whileClosed(folder, () => copyFileSync(join(folder.dataDir, 'app.db'), copyOfList(folder)))

/** Puts that copy in the place of app.db. */
const putOlderList = (folder: RecordedFolder): Promise<void> =>
  whileClosed(folder, () => {
    removeList(folder)
    renameSync(copyOfList(folder), join(folder.dataDir, 'app.db'))
  })

describe.each([
  ['missing', removeList],
  ['empty', emptyList]
] as const)('when app.db is %s', (_, lose) => {
  test('[ST-6] recorded folders are listed with their histories, and removed ones stay removed', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
    const { workspace, root } = folder
    const run = await folder.run('edit', () => writeFiles(root, { 'a.txt': 'b\n' }))
    const left = await addBeside(folder, 'left')
    const deleted = await addBeside(folder, 'deleted')
    await folder.engine.call('workspaces.remove', { workspace: left.id, deleteHistory: false })
    await folder.engine.call('workspaces.remove', { workspace: deleted.id, deleteHistory: true })
    const before = await listed(folder)
    expect(before).toEqual({ recorded: ['project'], removed: ['left'] })
    await whileClosed(folder, () => lose(folder))

    expect(await listed(folder)).toEqual(before)
    const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10 })
    expect(entries).toMatchObject([{ id: run, title: 'edit' }])
    await folder.apply({ kind: 'undo-run', run })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\n')
    const again = await folder.engine.call('workspaces.add', { folder: left.root, wait: true })
    expect(again.workspace.id).toBe(left.id)
  })

  test('[ST-6] what is recorded and how long it is kept stays as set; the looks are back to their defaults', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
    const { workspace, root, engine } = folder
    const kept = {
      'capture.never': '*.key',
      [`capture.never/${workspace}`]: '*.pem',
      [`history.days/${workspace}`]: '7'
    }
    for (const [key, value] of Object.entries({ ...kept, 'ui.theme': 'dark' }))
      await engine.call('settings.set', { key, value })
    await whileClosed(folder, () => lose(folder))
    expect((await folder.engine.call('settings.get', {})).values).toEqual(kept)
    // The rules apply from the first check on.
    writeFiles(root, { 'a.key': 'k\n', 'a.pem': 'p\n' })
    await folder.check()
    const { notCovered } = await folder.engine.call('coverage.list', { workspace })
    expect(notCovered.map(({ path, reason }) => [path, reason])).toEqual([
      ['a.key', 'never'],
      ['a.pem', 'never']
    ])
  })

  test('[ST-6] doctor, the status and the list say so until a person confirms it', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
    const { workspace } = folder
    await whileClosed(folder, () => lose(folder))
    const list = { why: 'lost', at: expect.any(Number), folders: 1, removed: 0 }
    expect(await problems(folder)).toEqual([{ workspace: '', code: 'RebuiltList', list }])
    expect(await folder.engine.call('workspace.status', { workspace, check: false })).toMatchObject({
      host: { rebuiltList: list }
    })
    await folder.reopen()
    expect(await folder.engine.call('host.state', {})).toMatchObject({ rebuiltList: list })
    await folder.engine.call('workspaces.confirmList', {})
    await folder.reopen()
    expect(await folder.engine.call('host.state', {})).not.toHaveProperty('rebuiltList')
    expect(await problems(folder)).toEqual([])
  })
})

test('[ST-6] an older app.db is corrected: folders that were added, removed, added again and moved since', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const place = dirname(folder.root)
  const moved = await addBeside(folder, 'before')
  const again = await addBeside(folder, 'again')
  const left = await addBeside(folder, 'left')
  await folder.engine.call('workspaces.remove', { workspace: again.id, deleteHistory: false })
  await keepList(folder)
  await addBeside(folder, 'added')
  await addBeside(folder, 'again')
  await folder.engine.call('workspaces.remove', { workspace: left.id, deleteHistory: false })
  renameSync(moved.root, join(place, 'after'))
  await folder.engine.call('workspaces.locate', { workspace: moved.id, folder: join(place, 'after') })
  await folder.engine.call('settings.set', { key: 'capture.never', value: '*.key' })
  const now = await listed(folder)
  expect(now).toEqual({ recorded: ['added', 'after', 'again', 'project'], removed: ['left'] })

  await putOlderList(folder)
  expect(await listed(folder)).toEqual(now)
  expect((await folder.engine.call('settings.get', {})).values).toEqual({ 'capture.never': '*.key' })
  expect(await problems(folder)).toMatchObject([{ code: 'RebuiltList', list: { why: 'older' } }])
})

test('[ST-6] an older app.db lists no history that was deleted since, and an interrupted deletion is completed', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const [gone, left] = [await addBeside(folder, 'gone'), await addBeside(folder, 'left')]
  await folder.engine.call('workspaces.remove', { workspace: left.id, deleteHistory: false })
  await keepList(folder)
  for (const { id } of [gone, left])
    await folder.engine.call('workspaces.remove', { workspace: id, deleteHistory: true })
  await putOlderList(folder)
  expect(await listed(folder)).toEqual({ recorded: ['project'], removed: [] })
  expect(await problems(folder)).toEqual([])
  expect((await addBeside(folder, 'gone')).id).not.toBe(gone.id)
})

test('[ST-6] an older app.db without a later change of the list is accepted, with the histories as they are now', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { workspace, root } = folder
  await keepList(folder)
  const run = await folder.run('edit', () => writeFiles(root, { 'a.txt': 'b\n' }))
  await putOlderList(folder)
  expect(await problems(folder)).toEqual([])
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10 })
  expect(entries).toMatchObject([{ id: run }])
})

test('[ST-6] a history that is put into the data folder is listed; of two of one folder, the listed one is recorded', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const other = await addBeside(folder, 'other')
  await folder.engine.close()
  const file = storeFile(folder.dataDir, other.id)
  const twin = storeFile(folder.dataDir, 'ws_000000000000')
  mkdirSync(dirname(twin))
  copyFileSync(file, twin)
  await folder.reopen()
  expect(await listed(folder)).toEqual({ recorded: ['other', 'project'], removed: ['other'] })
  const { workspaces } = await folder.engine.call('workspaces.list', {})
  expect(workspaces.map(({ id }) => id)).toContain(other.id)
  expect(await problems(folder)).toMatchObject([{ code: 'RebuiltList', list: { why: 'found' } }])
})

test('[ST-6] a history that does not say its folder, or cannot be read, is named by doctor and left as it is', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { dataDir, workspace } = folder
  await folder.engine.close()
  const [unnamed, unreadable, cardless] = ['ws_000000000000', 'ws_000000000001', 'ws_000000000002'].map((id) => {
    mkdirSync(join(dataDir, 'w', id))
    return storeFile(dataDir, id)
  }) as [string, string, string]
  for (const file of [unnamed, cardless]) copyFileSync(storeFile(dataDir, workspace), file)
  for (const [file, value] of [
    [unnamed, '{"root":"relative","addedAt":1,"removedAt":null,"settings":{},"rev":9}'],
    [cardless, null]
  ] as const) {
    const db = new Database(file)
    db.prepare("UPDATE meta SET value = ? WHERE key = 'folder'").run(value)
    db.close()
  }
  writeFileSync(unreadable, 'this is no database, and longer than the header of one'.repeat(20))
  // A folder without a history is not one.
  mkdirSync(join(dataDir, 'w', 'ws_000000000003', 'barrier'), { recursive: true })
  const before = readTree(join(dataDir, 'w'))
  await folder.reopen()
  expect(await problems(folder)).toEqual([
    { workspace: '', code: 'UnlistedHistory', file: unnamed, unreadable: null },
    { workspace: '', code: 'UnlistedHistory', file: unreadable, unreadable: 'SQLITE_NOTADB' },
    { workspace: '', code: 'UnlistedHistory', file: cardless, unreadable: null }
  ])
  expect(await listed(folder)).toEqual({ recorded: ['project'], removed: [] })
  await folder.engine.close()
  const after = readTree(join(dataDir, 'w'))
  for (const path of Object.keys(before).filter((path) => path.startsWith('ws_00')))
    expect(after[path]).toEqual(before[path])
})

test('[ST-6] a removed folder that an earlier version left notes that it is removed at the next start', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const left = await addBeside(folder, 'left')
  await folder.engine.call('workspaces.remove', { workspace: left.id, deleteHistory: false })
  await whileClosed(folder, () => {
    const db = new Database(storeFile(folder.dataDir, left.id))
    db.exec("DELETE FROM meta WHERE key = 'folder'")
    db.close()
  })
  await whileClosed(folder, () => removeList(folder))
  expect(await listed(folder)).toEqual({ recorded: ['project'], removed: ['left'] })
})

test('[ST-6] a history that is kept without its folder is read again when it changed, and not before', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { dataDir, workspace } = folder
  await folder.engine.call('workspaces.remove', { workspace, deleteHistory: false })
  await folder.engine.close()
  /** As at a start this long after now, with an app.db that knows of all changes or of none. */
  const alignLater = (ms: number, knows: 'all' | 'none') => {
    const store = openAppStore(join(dataDir, 'app.db'))
    try {
      transact(store, (tx) => {
        if (knows === 'none') writeListRev(tx, 0)
        deleteRebuiltList(tx)
      })
      alignFolderList(store, dataDir, Date.now() + ms)
      return { stamp: stampsAtRest(store).get(workspace), why: readRebuiltList(store)?.why ?? null }
    } finally {
      store.close()
    }
  }
  expect(alignLater(0, 'all')).toEqual({ stamp: null, why: null })
  // A card that does not agree yet is read again at the next start, which may be after a crash.
  expect(alignLater(60_000, 'none')).toEqual({ stamp: null, why: 'older' })
  const { stamp } = alignLater(60_000, 'all')
  expect(stamp).toMatch(/^\d+ \d+ /)
  expect(alignLater(60_000, 'none')).toEqual({ stamp, why: null })
  utimesSync(storeFile(dataDir, workspace), new Date(), new Date())
  expect(alignLater(60_000, 'none')).toEqual({ stamp, why: 'older' })
  expect(alignLater(60_000, 'all')).toEqual({ stamp: expect.not.stringContaining(stamp as string), why: null })
})

test('[RC-4] what needs no change of the list needs no space', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { dataDir, workspace } = folder
  await folder.engine.call('workspaces.remove', { workspace, deleteHistory: false })
  await folder.engine.close()
  const store = openAppStore(join(dataDir, 'app.db'))
  store.db.pragma('query_only = ON')
  alignFolderList(store, dataDir, Date.now() + 60_000)
  expect([...stampsAtRest(store)]).toEqual([[workspace, null]])
  store.close()
})
