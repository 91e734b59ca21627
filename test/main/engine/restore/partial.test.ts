/** When the system refuses a part of a restore: the rest is done, the part is named, and nothing is claimed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const text = (folder: RecordedFolder, path: string): string => readFileSync(join(folder.root, path), 'utf8')

/** Runs `work` while the file system refuses changes of `path`; false where that cannot be arranged. */
async function whileImmutable(folder: RecordedFolder, path: string, work: () => Promise<void>): Promise<boolean> {
  const at = join(folder.root, path)
  try {
    execFileSync('chattr', ['+i', at], { stdio: 'ignore' })
  } catch (error) {
    if (!(error instanceof Error && ('status' in error || 'code' in error))) throw error
    return false
  }
  try {
    await work()
  } finally {
    execFileSync('chattr', ['-i', at])
  }
  return true
}

test('[RS-5] a locked file fails with a reason; the others are done, and a retry completes the restore', async ({
  skip
}) => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two', c: 'two' }))
  const did = await whileImmutable(folder, 'b', async () => {
    // Setting the flag changed its times: that is no edit.
    await folder.check()
    const result = await folder.apply({ kind: 'undo-run', run })
    expect(result.state).toBe('partial')
    expect(result.items.map((item) => [item.path, item.result])).toEqual([
      ['a', 'done'],
      ['b', 'failed'],
      ['c', 'done']
    ])
    expect(result.items[1]?.reason).toEqual({ code: 'not-permitted' })
    expect(readdirSync(folder.root).sort()).toEqual(['a', 'b', 'c'])
  })
  if (!did) return skip('immutable files (chattr)')
  expect([text(folder, 'a'), text(folder, 'b'), text(folder, 'c')]).toEqual(['one', 'two', 'one'])
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(text(folder, 'b')).toBe('one')
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[RS-5] a partial restore can be undone: only what it wrote is reverted', async ({ skip }) => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one', 'd/c': 'one' } })
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { a: 'two', new: 'n' })
    remove(folder.root, 'd/b')
    writeFiles(folder.root, { 'd/c': 'two' })
  })
  const after = folder.tree()
  const did = await whileImmutable(folder, 'd/c', async () => {
    const result = await folder.apply({ kind: 'undo-run', run })
    expect(result.state).toBe('partial')
  })
  if (!did) return skip('immutable files (chattr)')
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
})

test('[RS-5] [RS-6] an undo that could not do all is not over: undo again does the rest, and so does redo', async ({
  skip
}) => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', older: 'one' } })
  const earlier = await folder.run('earlier', () => writeFiles(folder.root, { older: 'two' }))
  await folder.apply({ kind: 'undo-run', run: earlier })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  await folder.apply({ kind: 'undo-run', run })
  const states = () => [text(folder, 'a'), text(folder, 'b')]
  const did = await whileImmutable(folder, 'b', async () => {
    expect((await folder.apply({ kind: 'undo' })).state).toBe('partial')
  })
  if (!did) return skip('immutable files (chattr)')
  expect(states()).toEqual(['two', 'one'])
  const rest = await folder.apply({ kind: 'undo' })
  expect([rest.state, rest.items.map((item) => item.path), states()]).toEqual(['done', ['b'], ['two', 'two']])
  await whileImmutable(folder, 'b', async () => {
    const refused = { state: 'failed', items: [{ path: 'b', result: 'failed' }] }
    for (let n = 0; n < 2; n++) expect(await folder.apply({ kind: 'redo' })).toMatchObject(refused)
  })
  // Each redo is of one of the two undos, the later first.
  for (const now of [
    ['two', 'one'],
    ['one', 'one']
  ]) {
    expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    expect(states()).toEqual(now)
  }
  expect(text(folder, 'older'), 'earlier restores are not touched by any of it').toBe('one')
  await folder.apply({ kind: 'undo' })
  expect(states()).toEqual(['two', 'two'])
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[RS-4] a folder in which nothing can be made refuses the restore before anything changed', async ({ skip }) => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', 'd/b': 'two' }))
  const before = folder.tree()
  const did = await whileImmutable(folder, 'd', async () => {
    const result = await folder.apply({ kind: 'undo-run', run })
    expect([result.state, result.refusal]).toEqual([
      'refused',
      expect.stringMatching(/Couldn't write d\/b.*Nothing was changed/)
    ])
    expect(folder.tree()).toEqual(before)
  })
  if (!did) return skip('immutable files (chattr)')
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
})

test('[RS-4] a mount point that is to be removed stays, and its content is not touched', async ({ skip }) => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('make', () => writeFiles(folder.root, { 'd/x': 'x', a: 'two' }))
  const at = join(folder.root, 'd/mounted')
  mkdirSync(at)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at], { stdio: 'ignore' })
  } catch (error) {
    if (!(error instanceof Error && ('status' in error || 'code' in error))) throw error
    return skip('the right to mount a disk')
  }
  try {
    writeFiles(at, { inside: 'theirs' })
    const result = await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
    expect(existsSync(join(at, 'inside'))).toBe(true)
    expect(text(folder, 'a')).toBe('one')
    expect(result.state).toBe('done')
    const all = await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
    expect(all.state).toBe('partial')
    expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  } finally {
    execFileSync('umount', ['-l', at])
  }
})

test('[RS-5] as root, files with mode 0 are restored with their content', { tags: ['root'] }, async () => {
  await using folder = await recordedFolder({ files: { 'd/a': 'one', b: 'one' } })
  const before = folder.tree()
  const run = await folder.run('lock', () => {
    writeFiles(folder.root, { 'd/a': 'two' })
    chmodSync(join(folder.root, 'd/a'), 0)
    chmodSync(join(folder.root, 'd'), 0)
    chmodSync(join(folder.root, 'b'), 0)
  })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})
