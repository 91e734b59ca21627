/** Diffs of a run, of a checkpoint and against the disk, and patches that git accepts. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asReverted } from '../../../support/git-revert.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { type Content, readTree, remove, type Tree, writeFiles } from '../../../support/tree.ts'

const begin = (folder: RecordedFolder, title: string) =>
  folder.engine.call('run.begin', { workspace: folder.workspace, title, agent: 'test', pid: process.pid, pidStart: '' })
const end = (folder: RecordedFolder, run: string) =>
  folder.engine.call('run.end', { workspace: folder.workspace, run, exitCode: 0 })
const files = async (
  folder: RecordedFolder,
  target: string,
  more: { to?: string; scope?: 'run' | 'checkpoint' | 'turn'; paths?: string[] } = {}
) => (await folder.engine.call('diff.files', { workspace: folder.workspace, target, ...more })).files

const BEFORE: Record<string, Content> = {
  text: 'one\ntwo\nthree\n',
  crlf: 'one\r\ntwo\r\n',
  'no newline': 'a\nb',
  binary: Buffer.from([0, 1, 2, 255, 254, 10, 13]),
  'binary gone': Buffer.from([0, 9, 9]),
  gone: 'deleted\n',
  'gone empty': '',
  'deep/er/file': 'deep\n',
  script: { bytes: '#!/bin/sh\n', mode: 0o644 },
  link: { link: 'text' },
  'link to file': { link: 'text' },
  'file to link': 'was a file\n',
  'old name': `${'a line that stays the same\n'.repeat(30)}`,
  'dir to file/x': 'x\n',
  'file to dir': 'f\n',
  'tab\tand "quotes"': 'odd\n',
  'né\nw line': 'odd\n',
  '-rf': 'odd\n',
  same: 'same\n'
}

function change(root: string): void {
  writeFiles(root, {
    text: 'one\nTWO\nthree\nfour\n',
    crlf: 'one\r\ntwo changed\r\n',
    'no newline': 'a\nb changed',
    binary: Buffer.from([0, 1, 2, 3, 4, 5]),
    'new binary': Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 31) % 256)),
    'new empty': '',
    'new/in/folders': 'new\n',
    'new script': { bytes: '#!/bin/sh\necho\n', mode: 0o755 },
    'tab\tand "quotes"': 'changed\n',
    'né\nw line': 'changed\n',
    '-rf': 'changed\n'
  })
  remove(
    root,
    'gone',
    'gone empty',
    'binary gone',
    'deep',
    'link',
    'link to file',
    'file to link',
    'dir to file',
    'file to dir'
  )
  writeFiles(root, {
    link: { link: 'script' },
    'link to file': 'a file now\n',
    'file to link': { link: 'text' },
    'dir to file': 'a file now\n',
    'file to dir/inside': 'i\n',
    'new link': { link: 'no/where' }
  })
  chmodSync(join(root, 'script'), 0o755)
  renameSync(join(root, 'old name'), join(root, 'new name'))
  writeFileSync(join(root, 'new name'), `${'a line that stays the same\n'.repeat(30)}and one more\n`)
}

/** The part of a tree that git stores: no folders, and of the mode only the executable bit. */
function asGit(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([, what]) => !what.startsWith('dir '))
      .map(([path, what]) => [
        path,
        what.replace(/^file (\d+)/, (_, mode: string) => `file ${Number.parseInt(mode, 8) & 0o100 ? 'x' : '-'}`)
      ])
  )
}

test('[B25] git applies and reverts the patch of a run with every kind of change', async () => {
  await using folder = await recordedFolder({ files: BEFORE })
  const before = folder.tree()
  const run = await folder.run('everything', () => change(folder.root))
  const after = folder.tree()
  const { patch, warnings } = await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expect(warnings).toEqual([])
  using temp = tempFolder()
  const copy = join(temp.path, 'copy')
  mkdirSync(copy)
  writeFiles(copy, BEFORE)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: copy, input: patch, stdio: ['pipe', 'pipe', 'pipe'] })
  // Without input: git may have ended before it is written.
  execFileSync('git', ['init', '-q'], { cwd: copy, stdio: 'ignore' })
  git('apply', '--check', '-')
  git('apply', '-')
  expect(asGit(readTree(copy))).toEqual(asGit(after))
  git('apply', '-R', '-')
  const reverted = (tree: Tree) => asReverted(asGit(tree), asGit(before), asGit(after))
  expect(reverted(readTree(copy))).toEqual(reverted(before))
})

test('a run is compared from its start to its end, without earlier and later edits', async () => {
  await using folder = await recordedFolder({ files: { a: '0\n', b: '0\n', c: '0\n' } })
  await folder.run('before', () => writeFiles(folder.root, { a: '1\n' }))
  const run = await folder.run('this', () => writeFiles(folder.root, { b: '1\n2\n' }))
  writeFiles(folder.root, { b: 'outside\n', c: 'outside\n' })
  await folder.run('after', () => writeFiles(folder.root, { a: '2\n' }))
  const found = await files(folder, run)
  expect(found).toEqual([
    expect.objectContaining({
      path: 'b',
      change: 'modified',
      kind: 'text',
      added: 2,
      deleted: 1,
      hunks: 1,
      interleaved: false
    })
  ])
  const { fromSeq, toSeq, prevCheckpointId } = await folder.engine.call('diff.files', {
    workspace: folder.workspace,
    target: run
  })
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace, run })
  expect(checkpoints.map((checkpoint) => [checkpoint.reason, checkpoint.seq])).toEqual([
    ['end_of_turn', toSeq],
    ['run_start', fromSeq]
  ])
  expect(prevCheckpointId).toBe(checkpoints[1]?.id)
})

test('a checkpoint is compared with the previous one that differs; the first has a warning instead', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { workspace } = folder
  writeFiles(folder.root, { a: '1' })
  const first = await folder.checkpoint('first')
  const again = await folder.checkpoint('again')
  writeFiles(folder.root, { b: 'b' })
  const second = await folder.checkpoint('second')
  expect((await files(folder, second)).map((file) => [file.path, file.change])).toEqual([['b', 'added']])
  const compared = await folder.engine.call('diff.files', { workspace, target: second })
  expect([first, again]).toContain(compared.prevCheckpointId)
  const start = await folder.engine.call('diff.files', { workspace, target: first })
  expect([start.prevCheckpointId, start.warnings, start.files.map((file) => file.path)]).toEqual([
    '',
    [{ code: 'no-earlier' }],
    ['a']
  ])
})

test('--to now compares with the disk after a scan; --to TARGET compares with that position, in both directions', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const first = await folder.checkpoint('first')
  writeFiles(folder.root, { a: '1', c: 'c' })
  const second = await folder.checkpoint('second')
  writeFiles(folder.root, { b: 'not looked at yet' })
  const brief = (list: Awaited<ReturnType<typeof files>>) => list.map((file) => [file.path, file.change])
  expect(brief(await files(folder, first, { to: 'now' }))).toEqual([
    ['a', 'modified'],
    ['b', 'modified'],
    ['c', 'added']
  ])
  expect(brief(await files(folder, first, { to: second }))).toEqual([
    ['a', 'modified'],
    ['c', 'added']
  ])
  expect(brief(await files(folder, second, { to: first }))).toEqual([
    ['a', 'modified'],
    ['c', 'deleted']
  ])
  expect(brief(await files(folder, second, { to: second }))).toEqual([])
})

test('[GW-4] a path that two runs may have changed is shared in both; a path that only one can have changed is inferred', async () => {
  await using folder = await recordedFolder({ files: { both: '0\n', own: '0\n' } })
  const { run } = await begin(folder, 'one')
  writeFiles(folder.root, { both: '1\n', own: '1\n' })
  await folder.check()
  const second = await begin(folder, 'other')
  writeFiles(folder.root, { both: 'shared\n' })
  await end(folder, second.run)
  writeFiles(folder.root, { both: '2\n' })
  await end(folder, run)
  const found = await files(folder, run)
  expect(found.map((file) => [file.path, file.attribution])).toEqual([
    ['both', 'shared'],
    ['own', 'inferred']
  ])
  const filesOfSecond = await files(folder, second.run)
  expect(filesOfSecond.map((file) => [file.path, file.interleaved])).toEqual([['both', false]])
})

test('only the requested paths are compared; a folder means everything below it', async () => {
  await using folder = await recordedFolder({ files: { a: '0', 'd/b': '0', 'd/e/c': '0', dx: '0' } })
  const run = await folder.run('all', () => writeFiles(folder.root, { a: '1', 'd/b': '1', 'd/e/c': '1', dx: '1' }))
  expect((await files(folder, run, { paths: ['d'] })).map((file) => file.path)).toEqual(['d/b', 'd/e/c'])
  expect((await files(folder, run, { paths: ['a', 'd/e'] })).map((file) => file.path)).toEqual(['a', 'd/e/c'])
})

test('a run that began during the initial snapshot warns that earlier versions may be missing', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  folder.store((store) => store.db.prepare("UPDATE meta SET value = 'partial' WHERE key = 'coverage'").run())
  const begun = await begin(folder, 'early')
  expect(begun.incomplete).toBe(true)
  writeFiles(folder.root, { a: '1' })
  const ended = await end(folder, begun.run)
  expect(ended.warnings).toEqual([{ code: 'incomplete' }])
})

test('content that is not stored is omitted from the patch and named', async () => {
  await using folder = await recordedFolder({ files: { a: '0\n' } })
  const { truncateSync } = await import('node:fs')
  const run = await folder.run('big', () => {
    writeFiles(folder.root, { a: '1\n', big: '' })
    truncateSync(join(folder.root, 'big'), 51 << 20)
  })
  const {
    patch,
    warnings,
    files: found
  } = await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expect(warnings).toEqual([{ code: 'not-in-patch', paths: ['big'], count: 1 }])
  expect(patch).not.toContain('big')
  expect(patch).toContain('+1')
  expect(found.find((file) => file.path === 'big')).toMatchObject({ notStored: 'too-large' })
})

test('targets: prefixes, latest, positions and sides; an unknown target is an error', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { workspace } = folder
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  const cat = async (target: string): Promise<string> =>
    Buffer.from((await folder.engine.call('file.cat', { workspace, target, path: 'a' })).base64, 'base64').toString()
  expect([
    await cat(run),
    await cat(`${run}:end`),
    await cat(run.slice(0, 8)),
    await cat('latest'),
    await cat('seq:0'),
    await cat('seq:1')
  ]).toEqual(['0', '1', '0', '0', '0', '1'])
  for (const target of ['seq:99', 'run_nothing', 'nonsense', 'cp_', `${run}:middle`, 'seq:-1', ''])
    await expect(cat(target), target).rejects.toMatchObject({
      code: expect.stringMatching(/^(UnknownTarget|AmbiguousTarget)$/)
    })
})
