/** [ST-3] A history that was lost is reported, and nothing takes its place before a person says so. */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

/** A folder with a run, whose engine is closed, so that its files can be changed. */
async function recorded(): Promise<RecordedFolder & { readonly file: string }> {
  const folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  await folder.run('edit', () => writeFiles(folder.root, { 'a.txt': 'b\n' }))
  return Object.assign(folder, { file: storeFile(folder.dataDir, folder.workspace) })
}

const removeStore = (file: string): void => {
  for (const name of readdirSync(dirname(file))) if (name.startsWith('store.db')) rmSync(join(dirname(file), name))
}

const LOSSES: readonly [string, (file: string) => void][] = [
  ['is missing', removeStore],
  [
    'is empty',
    (file) => {
      removeStore(file)
      writeFileSync(file, '')
    }
  ]
]

describe.each(LOSSES)('a history that %s', (_, lose) => {
  test('[ST-3] is an error that names the file, for every call and for doctor, and nothing is created', async () => {
    await using folder = await recorded()
    const { file, workspace, root } = folder
    await folder.engine.close()
    lose(file)
    const before = readdirSync(dirname(file))
    await folder.reopen()
    const lost = { code: 'HistoryLost', message: expect.stringContaining(file) }
    await expect(folder.engine.call('timeline.list', { workspace, limit: 10 })).rejects.toMatchObject(lost)
    await expect(folder.engine.call('workspaces.add', { folder: root, wait: true })).rejects.toMatchObject(lost)
    const { ok, problems } = await folder.engine.call('doctor.run', { deep: false })
    expect({ ok, problems }).toEqual({
      ok: false,
      problems: [{ workspace: root, ...lost, code: 'Unopened', error: lost.code }]
    })
    const { workspaces } = await folder.engine.call('workspaces.list', {})
    expect(workspaces).toMatchObject([
      { store: null, watcher: { state: 'off', why: { code: 'unopened', message: lost.message } } }
    ])
    expect(readdirSync(dirname(file))).toEqual(before)
  })

  test('[ST-3] after a confirmation a new history begins, and the project is as it was', async () => {
    await using folder = await recorded()
    const { file, root, workspace } = folder
    await folder.engine.close()
    lose(file)
    await folder.reopen()
    const added = await folder.engine.call('workspaces.add', { folder: root, wait: true, confirmed: true })
    expect(added).toMatchObject({ workspace: { id: workspace }, covered: { files: 1 }, complete: true })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('b\n')
    await folder.reopen()
    expect((await folder.engine.call('timeline.list', { workspace, limit: 10 })).entries).toEqual([])
  })
})

test('[ST-3] an older copy of the history is refused until a person accepts it', async () => {
  await using folder = await recorded()
  const { file, root, workspace } = folder
  await folder.engine.close()
  copyFileSync(file, join(dirname(file), 'copy'))
  await folder.reopen()
  await folder.run('more', () => writeFiles(root, { 'a.txt': 'c\n' }))
  await folder.engine.close()
  removeStore(file)
  copyFileSync(join(dirname(file), 'copy'), file)
  await folder.reopen()
  await expect(folder.engine.call('timeline.list', { workspace, limit: 10 })).rejects.toMatchObject({
    code: 'HistoryLost'
  })
  await folder.engine.call('workspaces.add', { folder: root, wait: true, confirmed: true })
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10 })
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'run', title: 'edit' }))
  // What changed since the copy is found as a change from outside.
  expect(await folder.engine.call('drift.list', { workspace, check: true })).toMatchObject({
    drift: [{ paths: ['a.txt'] }]
  })
})

test('[ST-3] the same file from a backup works again, with no question', async () => {
  await using folder = await recorded()
  const { file, workspace } = folder
  await folder.engine.close()
  copyFileSync(file, join(dirname(file), 'copy'))
  removeStore(file)
  await folder.reopen()
  await expect(folder.engine.call('drift.list', { workspace, check: true })).rejects.toMatchObject({
    code: 'HistoryLost'
  })
  copyFileSync(join(dirname(file), 'copy'), file)
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10 })
  expect(entries).toHaveLength(1)
})

test('[ST-3] a folder whose history was deleted on purpose begins a new one without a question', async () => {
  await using folder = await recorded()
  const { root, workspace, file } = folder
  await folder.engine.call('workspaces.remove', { workspace, deleteHistory: true })
  expect(existsSync(file)).toBe(false)
  const added = await folder.engine.call('workspaces.add', { folder: root, wait: true })
  expect(added).toMatchObject({ complete: true, head: 0 })
})
