/** [CP-3] Files and folders without read permission, and paths over the system's limit, never count as deleted. */
import { chmodSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { notCovered, versions } from '../support/recorded-state.ts'
import { expectRoundTrip, expectSound } from '../support/round-trip.ts'
import { remove, writeFiles } from '../support/tree.ts'
import { asUnprivilegedUser } from '../support/unprivileged-user.ts'

test('[CP-3] [UI-1] paths that are unreadable at the initial snapshot are listed and stay unchanged; the rest is recorded', async () => {
  await asUnprivilegedUser(async () => {
    await using folder = await recordedFolder({
      files: {
        a: 'one',
        secret: 'never read',
        'locked/in': 'never read',
        'half/in': 'never read',
        'half/sub/in': 'never read',
        'open/b': 'one'
      },
      make: (root) => {
        chmodSync(join(root, 'secret'), 0)
        chmodSync(join(root, 'locked'), 0)
        chmodSync(join(root, 'half'), 0o600)
      }
    })
    expect(await notCovered(folder)).toEqual([
      'half/in unreadable',
      'half/sub unreadable',
      'locked unreadable',
      'secret unreadable'
    ])
    await expectRoundTrip(folder, () => {
      writeFiles(folder.root, { a: 'two', 'open/c': 'c' })
      remove(folder.root, 'open/b')
    })
    chmodSync(join(folder.root, 'secret'), 0o600)
    const before = folder.tree()
    const mark = await folder.checkpoint()
    chmodSync(join(folder.root, 'locked'), 0o700)
    chmodSync(join(folder.root, 'half'), 0o700)
    await folder.check()
    expect(await notCovered(folder), 'once it can be read it is kept').toEqual([])
    await folder.apply({ kind: 'restore', target: mark, outside: 'replace' })
    expect(folder.tree(), 'what was not read then is neither overwritten nor deleted').toEqual(before)
    chmodSync(join(folder.root, 'locked'), 0o700)
    chmodSync(join(folder.root, 'half'), 0o700)
    expect(
      ['secret', 'locked/in', 'half/in', 'half/sub/in'].map((path) => readFileSync(join(folder.root, path), 'utf8'))
    ).toEqual(Array.from({ length: 4 }, () => 'never read'))
  })
})

test('[CP-3] a file that becomes unreadable is not deleted: it has a reason, is kept by default, and can be replaced by its old content', async () => {
  await asUnprivilegedUser(async () => {
    await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
    const run = await folder.run('lock', () => {
      writeFiles(folder.root, { a: 'unread', b: 'two' })
      chmodSync(join(folder.root, 'a'), 0)
    })
    expect((await versions(folder, 'a'))[0]).toMatchObject({ kind: 'file', stored: false })
    const act = { kind: 'undo-run', run, onConflict: 'keep' } as const
    const kept = await folder.apply(act)
    expect(kept.items.map((item) => [item.path, item.result])).toEqual([
      ['a', 'kept'],
      ['b', 'done']
    ])
    const replaced = await folder.apply(act, { a: 'replace' })
    expect([replaced.state, replaced.items[0]?.note]).toEqual(['done', { code: 'no-undo' }])
    expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('one')
    await expectSound(folder)
  })
})

test.each([
  ['may be entered and not listed', 0o300],
  ['may be listed and not entered', 0o600],
  ['may neither be listed nor entered', 0o000]
])('[CP-3] a folder that %s does not count as deleted files', async (_, mode) => {
  await asUnprivilegedUser(async () => {
    await using folder = await recordedFolder({ files: { 'd/a': 'one', 'd/e/b': 'one', c: 'one' } })
    const before = folder.tree()
    const run = await folder.run('edit', () => {
      writeFiles(folder.root, { c: 'two' })
      chmodSync(join(folder.root, 'd'), mode)
    })
    expect((await versions(folder, 'c'))[0]?.run).toBe(run)
    expect((await versions(folder, 'd/a')).length, 'no Edit says that it went').toBe(1)
    expect((await notCovered(folder)).some((line) => line.endsWith(' unreadable'))).toBe(true)
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
    await folder.check()
    expect(await notCovered(folder)).toEqual([])
    await expectSound(folder)
  })
})

test('[CP-3] a folder that cannot be listed does not count as deleted files', async () => {
  await using folder = await recordedFolder({ files: { 'd/a': 'one', b: 'one' } })
  // A path over the system's limit cannot be opened by name, not even by root.
  const parts = Array.from({ length: 18 }, () => 'x'.repeat(220))
  let at = folder.root
  for (const part of parts.slice(0, 9)) {
    at = join(at, part)
    mkdirSync(at)
  }
  let inner = join(dirname(folder.root), 'inner')
  const start = inner
  mkdirSync(inner)
  for (const part of parts.slice(0, 10)) {
    inner = join(inner, part)
    mkdirSync(inner)
  }
  renameSync(start, join(at, 'moved'))
  const run = await folder.run('edit', () => writeFiles(folder.root, { b: 'two' }))
  expect((await versions(folder, 'b'))[0]?.run).toBe(run)
  expect((await versions(folder, 'd/a')).length).toBe(1)
  expect((await notCovered(folder)).some((line) => line.endsWith(' unreadable'))).toBe(true)
  renameSync(join(at, 'moved'), start)
})
