/** Files that another program holds open after they were written, and read-only files as Windows treats them. */
import { chmodSync, existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeSettings } from '../../src/main/engine/agents/connect/settings-file.ts'
import { createPatience } from '../../src/main/engine/files/in-use.ts'
import { removeTree } from '../../src/main/engine/files/remove.ts'
import { openRecorder } from '../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, expectSound, undoInEveryWay } from '../support/round-trip.ts'
import { type DiskSettings, PROFILES, type ScriptedDisk, scriptedDisk } from '../support/scripted-disk.ts'
import { tempFolder } from '../support/tmp.ts'
import { toolUser } from '../support/tool-client.ts'
import { fileOf, readTree, remove, type Tree, writeFiles } from '../support/tree.ts'

const OPTIONS = { tags: 'scripted-disk', timeout: 60_000 }
/** Longer than any test. */
const HOUR_MS = 3_600_000
const FILES = { a: 'one', b: 'one', 'd/e/f': 'deep', 'd/g': 'g', swap: 'a file', 'sub/x': 'x' }

function change(root: string): void {
  remove(root, 'd/e', 'swap', 'sub')
  writeFiles(root, { a: 'two', b: 'two', 'new/n': 'n', 'new/m': 'm', 'swap/in': 'i', sub: 'a file now' })
}

interface Changed {
  readonly disk: ScriptedDisk
  readonly folder: RecordedFolder
  readonly run: string
  readonly before: Tree
  readonly after: Tree
}

/** A run has changed a folder on such a disk; nothing is in use yet. */
async function changedOn(settings: DiskSettings, body: (changed: Changed) => Promise<void>): Promise<void> {
  using temp = tempFolder()
  await using disk = await scriptedDisk(temp.path, settings)
  await using folder = await recordedFolder({ files: FILES, place: disk.path })
  const before = folder.tree()
  const run = await folder.run('work', () => change(folder.root))
  await body({ disk, folder, run, before, after: folder.tree() })
}

/** Undoes the run with no patience. */
async function withoutPatience(folder: RecordedFolder, run: string) {
  await using open = openRecorder(folder.dataDir, folder.workspace)
  return open.restore({ request: { kind: 'undo-run', run }, patience: createPatience(0) })
}

/** Why the content of a path is not stored; null when it is. */
const notStored = (folder: RecordedFolder, path: string): string | null =>
  folder.store(({ records }) => records.version(records.head(path)?.version ?? records.absent).notStored)

const ours = (folder: RecordedFolder): string[] =>
  readdirSync(folder.root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.driftline-'))

for (const inUse of [{ ms: [50, 50] }, { ms: [200, 500] }, { ms: [100, 200], reading: true }] as const)
  test(
    `[RS-15] whatever was written is in use for ${inUse.ms.join(' to ')} ms${'reading' in inUse ? ', also for reading' : ''}: every restore is exact`,
    OPTIONS,
    () =>
      changedOn(PROFILES.plain, async ({ disk, folder, run, before, after }) => {
        await disk.set({ inUse })
        await undoInEveryWay(folder, run, before, after)
        await disk.set({})
        await expectIntact(folder)
      })
  )

test('[RS-7] [RS-15] a restore that gave up on files in use is finished once they are free', OPTIONS, () =>
  changedOn(PROFILES.plain, async ({ disk, folder, run, before }) => {
    await disk.set({ inUse: { ms: [HOUR_MS, HOUR_MS] } })
    expect((await withoutPatience(folder, run)).state).toBe('interrupted')
    expect(ours(folder)).not.toEqual([])
    await disk.set({})
    const result = await folder.apply({ kind: 'recover', how: 'finish' })
    expect(result.state, JSON.stringify(result.items)).toBe('done')
    expect(folder.tree()).toEqual(before)
    await expectIntact(folder)
  })
)

test.for(['rename', 'unlink', 'rmdir'] as const)(
  '[RS-15] a single %s that meets a file in use is made again',
  OPTIONS,
  (call) =>
    changedOn(PROFILES.plain, async ({ disk, folder, run, before }) => {
      await disk.set({ faults: [{ calls: [call], times: 1, errno: 'EBUSY' }] })
      const result = await folder.apply({ kind: 'undo-run', run })
      expect(result.state, JSON.stringify(result.items)).toBe('done')
      expect(folder.tree()).toEqual(before)
      await disk.set({})
      await expectIntact(folder)
    })
)

test('[RS-5] [RS-15] a file that stays in use is named, and every other file is restored', OPTIONS, () =>
  changedOn(PROFILES.plain, async ({ disk, folder, run, before }) => {
    await disk.set({ faults: [{ calls: ['rename'], path: 'project/a', errno: 'EBUSY' }], inUse: { ms: [50, 200] } })
    const result = await folder.apply({ kind: 'undo-run', run })
    expect(result.state).toBe('partial')
    expect(result.items.filter((item) => item.result !== 'done')).toMatchObject([
      { path: 'a', result: 'failed', reason: { code: 'in-use' } }
    ])
    expect({ ...folder.tree(), a: before.a }).toEqual(before)
    await disk.set({})
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
    await expectIntact(folder)
  })
)

test(
  '[RS-15] a folder of ours whose files are in use is deleted, and what the disk refuses has its error',
  OPTIONS,
  async () => {
    using temp = tempFolder()
    await using disk = await scriptedDisk(temp.path, { inUse: { ms: [100, 200] } })
    const folder = join(disk.path, 'replaced')
    writeFiles(folder, FILES)
    removeTree(folder)
    expect(existsSync(folder)).toBe(false)
    removeTree(folder)
    writeFiles(folder, FILES)
    await disk.set({ faults: [{ calls: ['unlink'], errno: 'EROFS' }] })
    expect(() => removeTree(folder)).toThrow(expect.objectContaining({ code: 'EROFS' }))
  }
)

test('[CP-8] a changed file that cannot be opened for a moment is recorded with its content', OPTIONS, () =>
  changedOn(PROFILES.plain, async ({ disk, folder }) => {
    await disk.set({ inUse: { ms: [200, 400], reading: true } })
    await folder.run('edit', () => writeFileSync(join(folder.root, 'd/g'), 'changed'))
    expect(notStored(folder, 'd/g')).toBe(null)
    await disk.set({})
    await expectIntact(folder)
  })
)

test('[CP-8] a file that could not be read is stored by a later check, although its stat is the same', OPTIONS, () =>
  changedOn({ noChangeTime: true }, async ({ disk, folder }) => {
    await disk.set({ noChangeTime: true, faults: [{ calls: ['open'], path: 'project/d/g', errno: 'EPERM' }] })
    await folder.run('edit', () => {
      remove(folder.root, 'd/g')
      writeFiles(folder.root, { 'd/g': 'changed' })
      // Old enough that a stat is trusted.
      utimesSync(join(folder.root, 'd/g'), 1, 1)
    })
    expect(notStored(folder, 'd/g')).toBe('unreadable')
    await disk.set({ noChangeTime: true })
    await folder.check()
    expect(notStored(folder, 'd/g')).toBe(null)
    await expectSound(folder)
  })
)

test('[CP-8] a file that stays in use is recorded as unreadable, and stored once it is free', OPTIONS, () =>
  changedOn(PROFILES.plain, async ({ disk, folder }) => {
    const held = join(folder.root, 'd/g')
    writeFileSync(held, 'changed')
    await disk.set({ faults: [{ calls: ['open'], path: 'project/d/g', errno: 'EBUSY' }] })
    await folder.check()
    expect(notStored(folder, 'd/g')).toBe('unreadable')
    // Another change of it, and of a file that is free.
    utimesSync(held, 1, 1)
    writeFileSync(join(folder.root, 'a'), 'three')
    await folder.check()
    expect([notStored(folder, 'a'), notStored(folder, 'd/g')]).toEqual([null, 'unreadable'])
    await disk.set({})
    await folder.check()
    expect(notStored(folder, 'd/g')).toBe(null)
    await expectSound(folder)
  })
)

test('[RS-15] the file tools wait for files in use', OPTIONS, () =>
  changedOn(PROFILES.plain, async ({ disk, folder }) => {
    await disk.set({ inUse: { ms: [100, 200] } })
    const user = toolUser(folder)
    await user.use({ tool: 'write_file', path: 'a', content: 'by a tool' })
    await user.use({ tool: 'edit_file', path: 'a', old: 'by a', new: 'by another' })
    await user.use({ tool: 'move_file', source: 'a', destination: 'moved' })
    await user.use({ tool: 'copy_file', source: 'moved', destination: 'copy' })
    await user.use({ tool: 'delete_file', path: 'copy' })
    await user.use({ tool: 'write_file', path: 'd/made', content: 'm' })
    await user.use({ tool: 'remove_dir', path: 'd', force: true })
    const tree = folder.tree()
    expect(tree.moved).toBe(fileOf('by another tool'))
    expect(Object.keys(tree)).toEqual(['b', 'moved', 'new', 'new/m', 'new/n', 'sub', 'swap', 'swap/in'])
    await disk.set({})
    await expectIntact(folder)
  })
)

test("[RS-15] an agent's settings file is written although it is in use", OPTIONS, async () => {
  using temp = tempFolder()
  await using disk = await scriptedDisk(temp.path, { inUse: { ms: [100, 200] } })
  const file = join(disk.path, 'settings.json')
  writeFileSync(file, 'old')
  writeSettings(file, 'new', 1)
  writeSettings(file, 'newer', 2)
  expect(readTree(disk.path)).toMatchObject({
    'settings.json': fileOf('newer'),
    'settings.json.driftline-backup-2': fileOf('new')
  })
  writeSettings(file, null, 3, { copies: false })
  expect(readTree(disk.path)['settings.json']).toBeUndefined()
})

test(
  '[RS-16] read-only files that cannot be replaced or deleted are restored, and are read-only again',
  OPTIONS,
  async () => {
    using temp = tempFolder()
    await using disk = await scriptedDisk(temp.path, PROFILES.windows)
    const readOnly = (bytes: string) => ({ bytes, mode: 0o444 })
    const files = { edited: readOnly('one'), deleted: readOnly('gone'), 'd/freed': readOnly('f'), locked: 'l' }
    await using folder = await recordedFolder({ files, place: disk.path })
    const before = folder.tree()
    expect(before.edited).toMatch(/^file 444 /)
    const run = await folder.run('work', () => {
      const at = (path: string): string => join(folder.root, path)
      for (const path of Object.keys(files)) chmodSync(at(path), 0o644)
      writeFileSync(at('edited'), 'two')
      chmodSync(at('edited'), 0o444)
      remove(folder.root, 'deleted')
      writeFiles(folder.root, { 'new/made': readOnly('new') })
      chmodSync(at('locked'), 0o444)
    })
    await undoInEveryWay(folder, run, before, folder.tree())
    await expectIntact(folder)
  }
)

test('[RS-16] a read-only file that cannot be replaced stays read-only', OPTIONS, async () => {
  using temp = tempFolder()
  await using disk = await scriptedDisk(temp.path, PROFILES.windows)
  await using folder = await recordedFolder({ files: { a: { bytes: 'one', mode: 0o444 } }, place: disk.path })
  const run = await folder.run('work', () => {
    chmodSync(join(folder.root, 'a'), 0o644)
    writeFileSync(join(folder.root, 'a'), 'two')
    chmodSync(join(folder.root, 'a'), 0o444)
  })
  const after = folder.tree()
  await disk.set({ ...PROFILES.windows, faults: [{ calls: ['rename'], path: 'project/a', errno: 'EBUSY' }] })
  expect((await withoutPatience(folder, run)).state).toBe('failed')
  expect(folder.tree()).toEqual(after)
  await disk.set(PROFILES.windows)
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(readTree(folder.root).a).toBe(`file 444 ${Buffer.from('one').toString('base64')}`)
  await expectIntact(folder)
})

test(
  '[CP-3] [DR-1] a disk that refuses to be read for a while, as macOS does, shows no deletions and heals',
  OPTIONS,
  () =>
    changedOn(PROFILES.apfs, async ({ disk, folder }) => {
      const before = folder.tree()
      const { workspace } = folder
      for (const path of ['project', 'project/d', 'project/d/*', '*']) {
        await disk.set({ ...PROFILES.apfs, faults: [{ calls: ['open', 'readdir'], path, errno: 'EPERM' }] })
        const { drift } = await folder.engine.call('drift.list', { workspace, check: true })
        expect(drift, path).toEqual([])
      }
      await disk.set(PROFILES.apfs)
      await expectIntact(folder)
      expect(folder.tree()).toEqual(before)
    })
)
