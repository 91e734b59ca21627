import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mergeTexts } from '../../../../src/main/engine/diff/three-way.ts'
import { bundleFile, bundleOf, linesOf, makeBundle } from '../../../support/bundles.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import type { Content } from '../../../support/tree.ts'

const FILES = {
  'a.ts': 'one\ntwo\nthree\nfour\nfive\n',
  'gone.txt': 'gone\n',
  'tool.sh': '#!/bin/sh\n',
  'data.bin': Buffer.from([0, 1, 2])
}
const LARGE = randomBytes(1_200_000)

/** A bundle of a run in one folder, opened beside another folder with `files`. */
async function sent(
  files: Readonly<Record<string, Content>>,
  file: string,
  large: Buffer = Buffer.from([0, 1])
): Promise<{ readonly here: RecordedFolder; readonly bundle: string }> {
  await using there = await recordedFolder({ files: FILES })
  const run = await there.run('Change the files', () => {
    writeFileSync(join(there.root, 'a.ts'), 'one\n2\nthree\nfour\nfive\n')
    rmSync(join(there.root, 'gone.txt'))
    chmodSync(join(there.root, 'tool.sh'), 0o755)
    writeFileSync(join(there.root, 'data.bin'), Buffer.from([3, 4, 5, 0]))
    mkdirSync(join(there.root, 'new/deep'), { recursive: true })
    writeFileSync(join(there.root, 'new/deep/large.bin'), large)
    symlinkSync('../../a.ts', join(there.root, 'new/deep/link'))
  })
  await makeBundle(there.engine, file, { workspace: there.workspace, run })
  const here = await recordedFolder({ files })
  const { workspace } = await here.engine.call('bundle.open', { file })
  return { here, bundle: workspace.id }
}

test('[SH-6] applying a bundle to files as they were makes exactly its changes, and undo and redo follow', async () => {
  using temp = tempFolder()
  const { here, bundle } = await sent(FILES, join(temp.path, 'run.driftline'), LARGE)
  await using _ = here
  const before = here.tree()
  const plan = await here.plan({ kind: 'apply', bundle })
  expect(plan.conflicts).toEqual([])
  expect(here.tree()).toEqual(before)
  const result = await here.apply({ kind: 'apply', bundle })
  expect(result.state).toBe('done')
  expect(readFileSync(join(here.root, 'a.ts'), 'utf8')).toBe('one\n2\nthree\nfour\nfive\n')
  expect(existsSync(join(here.root, 'gone.txt'))).toBe(false)
  expect(statSync(join(here.root, 'tool.sh')).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o755)
  expect(readFileSync(join(here.root, 'data.bin'))).toEqual(Buffer.from([3, 4, 5, 0]))
  expect(readFileSync(join(here.root, 'new/deep/large.bin')).equals(LARGE)).toBe(true)
  const after = here.tree()

  expect((await here.apply({ kind: 'undo' })).state).toBe('done')
  expect(here.tree()).toEqual(before)
  expect((await here.apply({ kind: 'redo' })).state).toBe('done')
  expect(here.tree()).toEqual(after)
  expect((await here.apply({ kind: 'apply', bundle })).state).toBe('nothing-to-do')
  await here.check()
  expect((await here.engine.call('drift.list', { workspace: here.workspace, check: true })).drift).toEqual([])
  expect((await here.engine.call('doctor.run', { deep: true })).ok).toBe(true)
})

test('[SH-6] a file that was changed here needs a decision: a merge has both changes, and its undo leaves those of here', async () => {
  using temp = tempFolder()
  const { here, bundle } = await sent(
    { ...FILES, 'a.ts': 'one\ntwo\nthree\nfour\n5\n', 'gone.txt': 'here\n' },
    join(temp.path, 'r')
  )
  await using _ = here
  const before = here.tree()
  const plan = await here.plan({ kind: 'apply', bundle })
  expect(plan.conflicts).toMatchObject([
    { path: 'a.ts', cause: 'other-version', choices: ['keep', 'merge', 'replace'], choice: 'keep', deletes: false },
    { path: 'gone.txt', choices: ['keep', 'replace'], choice: 'keep', deletes: true }
  ])
  const preview = await here.engine.call('restore.preview', {
    workspace: here.workspace,
    request: { kind: 'apply', bundle },
    resolutions: { 'a.ts': 'merge' },
    path: 'a.ts'
  })
  expect(preview.counts).toMatchObject({ added: 1, deleted: 1 })
  const result = await here.apply({ kind: 'apply', bundle, paths: ['a.ts'] }, { 'a.ts': 'merge' })
  expect(result.state).toBe('done')
  expect(readFileSync(join(here.root, 'a.ts'), 'utf8')).toBe('one\n2\nthree\nfour\n5\n')
  expect(readFileSync(join(here.root, 'gone.txt'), 'utf8')).toBe('here\n')
  writeFileSync(join(here.root, 'a.ts'), 'one\n2\nthree\nfour\n5\nsix\n')
  await here.check()
  const undone = await here.apply({ kind: 'undo' }, { 'a.ts': 'merge' })
  expect(undone.state).toBe('done')
  expect(readFileSync(join(here.root, 'a.ts'), 'utf8')).toBe('one\ntwo\nthree\nfour\n5\nsix\n')
  rmSync(join(here.root, 'a.ts'))
  writeFileSync(join(here.root, 'a.ts'), 'one\ntwo\nthree\nfour\n5\n')
  expect(here.tree()).toEqual(before)
})

test('[SH-6] a link out of the folder, a masked file and what lies beyond a link here are not written', {
  tags: ['links']
}, async () => {
  await using there = await recordedFolder({ files: { 'key.ts': 'a\n', 'sub/x.txt': 'x\n' } })
  const run = await there.run('Links', () => {
    writeFileSync(join(there.root, 'key.ts'), 'const key = "AKIAABCDEFGHIJKLMNOP"\n')
    writeFileSync(join(there.root, 'sub/x.txt'), 'changed\n')
    symlinkSync('a', join(there.root, 'out'))
  })
  using temp = tempFolder()
  using outside = tempFolder()
  writeFileSync(join(outside.path, 'x.txt'), 'x\n')
  const file = join(temp.path, 'run.driftline')
  await makeBundle(there.engine, file, { workspace: there.workspace, run })
  for (const target of ['/etc/passwd', '../../outside', 'C:\\Windows', '.git/hooks/x', '\\\\server\\share']) {
    const lines = linesOf(readFileSync(file))
    for (const line of lines) if (line.edit?.path === 'out') line.edit.after.target = target
    const hostile = bundleFile(temp.path, 'hostile.driftline', bundleOf(lines))
    await using here = await recordedFolder({
      files: { 'key.ts': 'a\n' },
      make: (root) => symlinkSync(outside.path, join(root, 'sub'))
    })
    const { workspace: bundle } = await here.engine.call('bundle.open', { file: hostile })
    const request = { kind: 'apply', bundle: bundle.id } as const
    const { items } = await here.plan(request, { 'sub/x.txt': 'replace' })
    expect(items.filter(({ path }) => path !== 'sub')).toMatchObject([
      { path: 'key.ts', action: 'keep', note: { code: 'not-stored', reason: 'hidden' } },
      { path: 'out', action: 'keep', note: { code: 'leads-out' } },
      { path: 'sub/x.txt', action: 'keep' }
    ])
    const before = here.tree()
    await here.apply(request, { 'sub/x.txt': 'replace' })
    expect(here.tree()).toEqual(before)
    expect(readFileSync(join(outside.path, 'x.txt'), 'utf8')).toBe('x\n')
  }
})

test('a merge of two changes has both, and there is none where they touch', () => {
  const merge = (base: string, theirs: string, ours: string): string | null =>
    mergeTexts(Buffer.from(base), Buffer.from(theirs), Buffer.from(ours))?.toString() ?? null
  expect(merge('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n')).toBe('A\nb\nc\nD\n')
  expect(merge('a\nb\n', 'a\n', 'a\nb\nc\n')).toBe(null)
  expect(merge('a\nb\nc\nd\n', 'a\nc\nd\n', 'a\nb\nc\nd\ne\n')).toBe('a\nc\nd\ne\n')
  expect(merge('a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nc\nd')).toBe('a\nB\nc\nd')
  expect(merge('a\nb\nc\n', 'a\nB\nc\n', 'a\nB!\nc\n')).toBe(null)
  expect(merge('a\n', 'b\n', 'c\n')).toBe(null)
  expect(merge('', 'a\n', '')).toBe('a\n')
  expect(merge('a\0', 'b\0', 'a\0')).toBe(null)
})
