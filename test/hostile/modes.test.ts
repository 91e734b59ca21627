/** [CP-6] Permission bits of files and folders, including special ones, are restored exactly. */
import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectRoundTrip } from '../support/round-trip.ts'
import { remove, writeFiles } from '../support/tree.ts'
import { asUnprivilegedUser } from '../support/unprivileged-user.ts'

/** A file that nobody may read is only read as root. */
const UNREADABLE = process.getuid?.() === 0 ? [0o000] : []
const MODES = [0o644, 0o755, 0o600, 0o400, ...UNREADABLE, 0o777, 0o4755, 0o2755, 0o1644]

test('[CP-6] permission bits are restored: private, executable, none, set-user-id, sticky', async () => {
  const files = Object.fromEntries(MODES.map((mode) => [`f${mode.toString(8)}`, { bytes: 'x', mode }]))
  await using folder = await recordedFolder({ files: { ...files, d700: null, d1777: null, d2775: null } })
  for (const [name, mode] of [
    ['d700', 0o700],
    ['d1777', 0o1777],
    ['d2775', 0o2775]
  ] as const)
    chmodSync(join(folder.root, name), mode)
  await folder.check()
  await expectRoundTrip(folder, () => {
    for (const name of Object.keys(folder.tree())) chmodSync(join(folder.root, name), 0o711)
  })
  await expectRoundTrip(folder, () => {
    for (const name of Object.keys(files)) {
      chmodSync(join(folder.root, name), 0o600)
      writeFileSync(join(folder.root, name), 'written')
    }
  })
  await expectRoundTrip(folder, () => remove(folder.root, ...Object.keys(folder.tree())))
})

test('[CP-6] a path in a set-group-id folder is restored with its recorded mode, not an inherited one', async () => {
  await using folder = await recordedFolder({ files: { 'shared/sub/x': 'x' } })
  chmodSync(join(folder.root, 'shared'), 0o2775)
  await folder.check()
  await expectRoundTrip(folder, () => remove(folder.root, 'shared/sub'))
})

test('[CP-6] as root, a folder that its owner cannot write is filled again and gets its mode back', {
  tags: ['root']
}, async () => {
  await using folder = await recordedFolder({ files: { 'ro/a': 'a', 'ro/sub/b': 'b' } })
  chmodSync(join(folder.root, 'ro/sub'), 0o555)
  chmodSync(join(folder.root, 'ro'), 0o555)
  await folder.check()
  await expectRoundTrip(folder, () => {
    for (const name of ['ro', 'ro/sub']) chmodSync(join(folder.root, name), 0o755)
    remove(folder.root, 'ro')
    mkdirSync(join(folder.root, 'ro'), 0o700)
  })
})

test('[RS-4] as root, a restored path has the owner of the path it replaces, or of its folder', {
  tags: ['root']
}, async () => {
  await using folder = await recordedFolder({
    files: { 'd/file': 'one', 'd/gone': 'g', 'd/sub/x': 'x', 'd/link': { link: 'file' } }
  })
  for (const name of ['d', 'd/file', 'd/gone', 'd/sub', 'd/sub/x']) chownSync(join(folder.root, name), 1234, 1235)
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { 'd/file': 'two' })
    remove(folder.root, 'd/gone', 'd/sub', 'd/link')
  })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  for (const name of ['d/file', 'd/gone', 'd/sub', 'd/sub/x', 'd/link']) {
    const { uid, gid } = lstatSync(join(folder.root, name))
    expect([name, uid, gid]).toEqual([name, 1234, 1235])
  }
})

test('[RS-4] as any other user, a restored file keeps the group of the file it replaces, where they are in it', {
  tags: ['root']
}, async () => {
  const [member, stranger] = [4720, 4721]
  const groups = process.getgroups?.() ?? []
  const groupsAfterUndo = await asUnprivilegedUser(async () => {
    await using folder = await recordedFolder({ files: { member: 'one', stranger: 'one', link: { link: 'member' } } })
    const at = (name: string): string => join(folder.root, name)
    process.seteuid?.(0)
    process.setgroups?.([member])
    for (const [name, group] of [
      ['member', member],
      ['stranger', stranger],
      ['link', member]
    ] as const)
      lchownSync(at(name), 65534, group)
    process.seteuid?.(65534)
    await folder.check()
    const run = await folder.run('edit', () => {
      writeFiles(folder.root, { member: 'two', stranger: 'two' })
      unlinkSync(at('link'))
      symlinkSync('stranger', at('link'))
      lchownSync(at('link'), -1, member)
    })
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    return ['member', 'stranger', 'link'].map((name) => lstatSync(at(name)).gid)
  })
  process.setgroups?.(groups)
  expect(groupsAfterUndo).toEqual([member, 65534, member])
})

test('[Security] as root: a replaced file keeps its owner, and a created one has the owner of its folder', {
  tags: ['root']
}, async () => {
  await using folder = await recordedFolder({
    files: { kept: 'one', gone: 'one', 'sub/gone': 'one', 'sub/deep/x': 'one' }
  })
  const { root } = folder
  const [person, agent] = [
    [4711, 4712],
    [4713, 4714]
  ] as const
  const ownerOf = (name: string): number[] => {
    const { uid, gid } = lstatSync(join(root, name))
    return [uid, gid]
  }
  for (const name of ['', 'kept', 'gone', 'sub', 'sub/gone', 'sub/deep', 'sub/deep/x'])
    chownSync(join(root, name), ...person)
  await folder.check()
  const run = await folder.run('as root', () => {
    writeFileSync(join(root, 'kept'), 'two')
    chownSync(join(root, 'kept'), ...agent)
    remove(root, 'gone', 'sub/gone', 'sub/deep')
    symlinkSync('kept', join(root, 'sub/deep'))
  })
  expect((await folder.apply({ kind: 'restore', target: run })).state).toBe('done')
  expect(ownerOf('kept')).toEqual(agent)
  for (const name of ['gone', 'sub', 'sub/gone', 'sub/deep', 'sub/deep/x']) expect(ownerOf(name), name).toEqual(person)
  await folder.apply({ kind: 'undo' })
  expect(ownerOf('sub/deep'), 'a link').toEqual(person)
})

test('[CP-6] a preview names the files of other users that it replaces, and no others', {
  tags: ['root']
}, async () => {
  await asUnprivilegedUser(async () => {
    const files = { theirs: { bytes: 'one', mode: 0o666 }, deleted: { bytes: 'one', mode: 0o666 }, own: 'one' }
    await using folder = await recordedFolder({ files })
    const user = process.geteuid?.() as number
    process.seteuid?.(0)
    for (const name of ['theirs', 'deleted']) chownSync(join(folder.root, name), 1, user)
    process.seteuid?.(user)
    await folder.check()
    const run = await folder.run('edit', () => {
      for (const name of ['theirs', 'own']) writeFileSync(join(folder.root, name), 'two')
      remove(folder.root, 'deleted')
    })
    const undo = { kind: 'undo-run', run } as const
    expect((await folder.plan(undo)).warnings).toContainEqual({ code: 'other-owner', paths: ['theirs'], count: 1 })
    expect((await folder.apply(undo)).state).toBe('done')
    expect(lstatSync(join(folder.root, 'theirs')).uid, 'as the preview says').toBe(user)
    expect((await folder.plan({ kind: 'undo' })).warnings, 'all are of this user now').toEqual([])
  })
})
