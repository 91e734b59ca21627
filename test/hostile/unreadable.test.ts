/** [CP-3] What may not be read: files and folders without permission, paths over the system's limit. Never an absence. */
import { chmodSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { backAndForth, expectSound } from '../support/back-and-forth.ts'
import { asOrdinaryUser } from '../support/ordinary-user.ts'
import { recordedFolder } from '../support/recorded.ts'
import { notCovered, versions } from '../support/recorded-facts.ts'
import { remove, writeFiles } from '../support/tree.ts'

test('[CP-3] [UI-1] what could not be read at the first copy is named; the rest is recorded, and it stays as it is', async () => {
  await asOrdinaryUser(async () => {
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
    await backAndForth(folder, () => {
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

test('[CP-3] a file that becomes unreadable is not gone: it has its reason, is kept by default, and its old content comes back when asked', async () => {
  await asOrdinaryUser(async () => {
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
    expect([replaced.state, replaced.items[0]?.note]).toEqual(['done', 'cannot be undone'])
    expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('one')
    await expectSound(folder)
  })
})

test.each([
  ['may be entered and not listed', 0o300],
  ['may be listed and not entered', 0o600],
  ['may neither be listed nor entered', 0o000]
])('[CP-3] a folder that %s is not a folder whose files were deleted', async (_, mode) => {
  await asOrdinaryUser(async () => {
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

test('[CP-3] a folder that cannot be listed is not a folder whose files were deleted', async () => {
  await using folder = await recordedFolder({ files: { 'd/a': 'one', b: 'one' } })
  // A path over the system's limit cannot be looked at by name, whoever asks.
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
