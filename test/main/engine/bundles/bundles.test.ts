import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf, makeBundle } from '../../../support/bundles.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

const KEY = `AKIA${'IOSFODNN7EXAMPLE'.slice(0, 16)}`

/** More than a piece of a bundle has; each byte of it is packed, patched and read several times. */
const LARGE = 1_200_000

async function withRun(size = 10_000): Promise<{ readonly folder: RecordedFolder; readonly run: string }> {
  const folder = await recordedFolder({
    files: {
      'src/a.ts': 'one\ntwo\nthree\n',
      'old.bin': Buffer.from([0, 1, 2, 255]),
      'gone.txt': 'gone\n',
      'moved.txt': 'kept\nas\nit was\n'
    }
  })
  const run = await folder.run('Change three files', () => {
    writeFileSync(join(folder.root, 'src/a.ts'), 'one\n2\nthree\nfour\n')
    rmSync(join(folder.root, 'gone.txt'))
    mkdirSync(join(folder.root, 'new'))
    renameSync(join(folder.root, 'moved.txt'), join(folder.root, 'new/moved.txt'))
    writeFileSync(join(folder.root, 'new/large.bin'), randomBytes(size))
    symlinkSync('src/a.ts', join(folder.root, 'link'))
  })
  return { folder, run }
}

test('[SH-2] a bundle that is opened shows the files, the diffs and the comments of its run as they were recorded', async () => {
  const { folder, run } = await withRun(LARGE)
  await using _ = folder
  using temp = tempFolder()
  const { engine, workspace } = folder
  await engine.call('comments.add', { workspace, target: run, path: 'src/a.ts', from: 2, text: 'Why a digit?' })
  const file = join(temp.path, 'run.driftline')
  const made = await makeBundle(engine, file, { workspace, run })
  expect(made).toMatchObject({ title: 'Change three files', comments: 1, maskedLines: 0, hiddenFiles: 0 })
  const before = folder.tree()

  const { workspace: review } = await engine.call('bundle.open', { file })
  expect(review).toMatchObject({
    root: file,
    name: 'run.driftline',
    bundle: { title: 'Change three files', folder: 'project' }
  })
  const inReview = { workspace: review.id }
  const ofRun = { target: run, scope: 'run' } as const
  const expected = await engine.call('diff.patch', { workspace, ...ofRun })
  expect(made.files).toBe(expected.files.length)
  const shown = await engine.call('diff.patch', { ...inReview, ...ofRun })
  expect(shown.patch).toBe(expected.patch)
  expect(shown.files).toEqual(expected.files)
  const { entries } = await engine.call('timeline.list', { ...inReview, limit: 10 })
  expect(entries).toMatchObject([{ kind: 'run', id: run, title: 'Change three files', files: expected.files.length }])
  const { comments } = await engine.call('comments.list', inReview)
  expect(comments).toMatchObject([{ text: 'Why a digit?', path: 'src/a.ts', line: 2, lines: 'same' }])
  const { status } = { status: await engine.call('workspace.status', { ...inReview, check: true }) }
  expect(status).toMatchObject({ recording: false, watcher: { why: { code: 'bundle' } } })
  expect(folder.tree()).toEqual(before)
})

test('[SH-2] the patch in a bundle is the one that git applies, and its contents are those of both sides', async () => {
  const { folder, run } = await withRun()
  await using _ = folder
  using temp = tempFolder()
  const file = join(temp.path, 'run.driftline')
  await makeBundle(folder.engine, file, { workspace: folder.workspace, run })
  const lines = linesOf(readFileSync(file))
  const patch = lines.flatMap((line) => (line.patch ? [Buffer.from(line.patch, 'base64')] : []))
  const { patch: expected } = await folder.engine.call('diff.patch', {
    workspace: folder.workspace,
    target: run,
    scope: 'run'
  })
  expect(Buffer.concat(patch).toString('utf8')).toBe(expected)
  expect(lines[0]).toMatchObject({ driftline: 'bundle', version: 1 })
  expect(lines.at(-1).end.lines).toBe(lines.length - 1)
})

test('[SH-3] what may contain a secret is masked in a bundle, the same line everywhere alike, unless it is wanted', async () => {
  await using folder = await recordedFolder({ files: { 'a.ts': `const key = "${KEY}"\nsafe\n`, '.env': 'A=1\n' } })
  const run = await folder.run(`Use ${KEY}`, () => {
    writeFileSync(join(folder.root, 'a.ts'), `const key = "${KEY}"\nconst other = "AKIAABCDEFGHIJKLMNOP"\nsafe\n`)
    writeFileSync(join(folder.root, '.env'), 'A=very private value\n')
  })
  using temp = tempFolder()
  const { engine, workspace } = folder
  const file = join(temp.path, 'masked.driftline')
  const made = await makeBundle(engine, file, { workspace, run })
  expect(made).toMatchObject({ hiddenFiles: 1, hidden: ['.env'] })
  expect(made.maskedLines).toBeGreaterThan(2)
  const text = JSON.stringify(linesOf(readFileSync(file)))
  const contents = linesOf(readFileSync(file)).flatMap((line) =>
    line.bytes ? [Buffer.from(line.bytes, 'base64').toString()] : []
  )
  for (const secret of [KEY, 'AKIAABCDEFGHIJKLMNOP', 'very private'])
    expect(text + contents.join('')).not.toContain(secret)

  const { workspace: review } = await engine.call('bundle.open', { file })
  const { files } = await engine.call('diff.files', { workspace: review.id, target: run, scope: 'run' })
  expect(files).toMatchObject([
    { path: '.env', notStored: 'hidden' },
    { path: 'a.ts', added: 1, deleted: 0 }
  ])

  const open = join(temp.path, 'open.driftline')
  expect(await makeBundle(engine, open, { workspace, run, secrets: true })).toMatchObject({
    maskedLines: 0,
    hiddenFiles: 0
  })
  const { workspace: whole } = await engine.call('bundle.open', { file: open })
  const cat = await engine.call('file.cat', { workspace: whole.id, target: `${run}:end`, path: '.env' })
  expect(Buffer.from(cat.base64, 'base64').toString()).toBe('A=very private value\n')
})

test('[SH-4] the run of a review is replayed edit by edit', async () => {
  const { folder, run } = await withRun()
  await using _ = folder
  using temp = tempFolder()
  const { engine } = folder
  const file = join(temp.path, 'run.driftline')
  await makeBundle(engine, file, { workspace: folder.workspace, run })
  const { workspace: review } = await engine.call('bundle.open', { file })
  const workspace = review.id
  const { edits, paths, fromSeq, toSeq } = await engine.call('replay.edits', { workspace, target: run, limit: 100 })
  expect(edits.length).toBeGreaterThan(0)
  const [path = ''] = paths
  const { diff } = await engine.call('replay.file', { workspace, path, from: fromSeq, seq: toSeq })
  expect(diff.path).toBe(path)
})

test('[SH-4] a review of a bundle can only be read, is no recorded folder, and is deleted when it is closed', async () => {
  const { folder, run } = await withRun()
  await using _ = folder
  using temp = tempFolder()
  const { engine, dataDir } = folder
  const file = join(temp.path, 'run.driftline')
  await makeBundle(engine, file, { workspace: folder.workspace, run })
  const { workspace: review } = await engine.call('bundle.open', { file })
  const workspace = review.id
  const refused = [
    engine.call('restore.plan', { workspace, request: { kind: 'undo-run', run } }),
    engine.call('restore.apply', { workspace, request: { kind: 'undo-run', run } }),
    engine.call('comments.add', { workspace, target: run, text: 'hello' }),
    engine.call('checkpoint.create', { workspace, label: '' }),
    engine.call('run.begin', { workspace, title: 't', agent: 'a', pid: 1, pidStart: '' })
  ]
  for (const call of refused) await expect(call).rejects.toMatchObject({ code: 'Refused' })
  const list = await engine.call('workspaces.list', {})
  expect(list.workspaces.map(({ id }) => id)).toEqual([folder.workspace])
  expect(list.bundles).toMatchObject([{ id: workspace }])
  expect((await engine.call('history.copy', {})).histories).toBe(1)

  await folder.reopen()
  expect((await folder.engine.call('timeline.list', { workspace, limit: 5 })).entries).toHaveLength(1)
  await folder.engine.call('bundle.close', { bundle: workspace })
  expect(readdirSync(join(dataDir, 'bundles'))).toEqual([])
  await expect(folder.engine.call('timeline.list', { workspace, limit: 5 })).rejects.toMatchObject({
    code: 'NotAWorkspace'
  })
})
