/** The round trip on disks that behave as those of macOS, Windows, USB sticks and shares. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, undoInEveryWay } from '../support/round-trip.ts'
import { type DiskSettings, PROFILES, type Profile, scriptedDisk } from '../support/scripted-disk.ts'
import { tempFolder } from '../support/tmp.ts'
import { remove, writeFiles } from '../support/tree.ts'

const FILES = {
  'README.md': 'start\n',
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  'src/deep/c.ts': 'c\r\n',
  'lib/old/d.ts': 'd\n',
  'lib/old/e.bin': Buffer.from([0, 255, 1, 254]),
  'café.txt': 'composed\n',
  'Straße/ü.txt': 'folder\n',
  'Case.txt': 'case\n'
}

/** Edits, deletes, creates, renames a folder, a folder and a file by their case alone, and writes to a file with a non-ASCII name. */
function work(root: string): void {
  const at = (path: string): string => join(root, path)
  writeFileSync(at('src/a.ts'), 'edited\n')
  remove(root, 'src/deep', 'README.md')
  writeFiles(root, { 'new/f.ts': 'f\n', 'new/Ünï.txt': 'new\n' })
  renameSync(at('lib/old'), at('lib/renamed'))
  renameSync(at('Case.txt'), at('case.TXT'))
  renameSync(at('Straße'), at('straße'))
  writeFileSync(at('café.txt'), 'edited, too\n')
}

/** Reverts the drift of `src/b.ts`. */
async function revertOutsideEdit(folder: RecordedFolder): Promise<void> {
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift).toHaveLength(1)
  const [found] = drift
  const result = await folder.apply({ kind: 'drift', drift: found?.id ?? '' })
  expect(result.state, JSON.stringify(result.items)).toBe('done')
  expect(readFileSync(join(folder.root, 'src/b.ts'), 'utf8')).toBe('b\n')
}

test.for(Object.keys(PROFILES) as Profile[])(
  '[B22] [CP-6] [DR-3] [RS-15] a run is undone in every way on a disk like %s, also after a remount',
  { tags: 'scripted-disk', timeout: 120_000 },
  async (profile) => {
    using temp = tempFolder()
    const settings: DiskSettings = PROFILES[profile]
    // Not what the test writes is in use, but what a restore has just written.
    const { inUse: _, ...quiet } = settings
    await using disk = await scriptedDisk(temp.path, quiet)
    await using folder = await recordedFolder({ files: FILES, place: disk.path })
    const before = folder.tree()
    const run = await folder.run('work', () => work(folder.root))
    const after = folder.tree()
    expect(Object.keys(after)).not.toEqual(Object.keys(before))
    await disk.set(settings)
    await undoInEveryWay(folder, run, before, after)
    await disk.set(quiet)
    writeFileSync(join(folder.root, 'src/b.ts'), 'outside\n')
    await disk.set(settings)
    await revertOutsideEdit(folder)
    expect(folder.tree()).toEqual(after)
    await folder.engine.close()
    await disk.again()
    await folder.reopen()
    expect(folder.tree()).toEqual(after)
    await expectIntact(folder)
  }
)

test('[B22] names that differ by case are two where the disk folds only the Unicode form', {
  tags: 'scripted-disk'
}, async () => {
  using temp = tempFolder()
  await using disk = await scriptedDisk(temp.path, PROFILES['apfs-sensitive'])
  await using folder = await recordedFolder({ files: { a: 'small', 'ö name': 'o' }, place: disk.path })
  const target = await folder.checkpoint()
  const run = await folder.run('work', () => writeFiles(folder.root, { A: 'large' }))
  const after = folder.tree()
  await folder.apply({ kind: 'restore', target })
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  await expectIntact(folder)
})
