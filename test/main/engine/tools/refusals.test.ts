import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ToolUse } from '../../../../src/contract/tools.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { toolUser } from '../../../support/tool-client.ts'

const FILES = { 'a.txt': 'alpha\n', 'dir/b.txt': 'beta\n', 'dir/c.txt': 'beta\n', '.git/config': '[core]\n' }

/** Row counts of all tables, and the tree on disk: a refused use must change neither. */
function traces(folder: RecordedFolder) {
  return folder.store(({ db }) => ({
    rows: (db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]).map(
      ({ name }) => [name, (db.prepare(`SELECT count(*) AS n FROM ${name}`).get() as { n: number }).n]
    ),
    tree: folder.tree()
  }))
}

async function expectRefused(folder: RecordedFolder, use: ToolUse, reason: string): Promise<string> {
  const before = traces(folder)
  const refused = await toolUser(folder).refused(use)
  expect([refused.reason, refused.message]).toEqual([reason, expect.any(String)])
  expect(traces(folder)).toEqual(before)
  return refused.message
}

const edit = (path: string): ToolUse => ({ tool: 'edit_file', path, old: 'alpha', new: 'x' })
const put = (path: string): ToolUse => ({ tool: 'write_file', path, content: 'x' })

describe('[CP-4] nothing outside the folder, and no special file, is touched', () => {
  // Each of these leaves the folder as it is.
  let folder: RecordedFolder
  beforeAll(async () => {
    folder = await recordedFolder({ files: FILES })
  })
  afterAll(() => folder?.[Symbol.asyncDispose]())

  test.each<[string, ToolUse, string]>([
    ['a way up', edit('../a.txt'), 'outside'],
    ['a way up inside', put('dir/../a.txt'), 'outside'],
    ['another place', put('/etc/driftline-test'), 'outside'],
    ['a home', put('~/x'), 'outside'],
    ['a name with NUL', put('a\0.txt'), 'bad-name'],
    ['a name with a line end', put('a\n.txt'), 'bad-name'],
    ['half a character', put('a\ud800.txt'), 'bad-name'],
    ['nothing', put(''), 'no-path'],
    ['the folder itself', put('.'), 'root'],
    ["git's own", put('.git/config'), 'reserved'],
    ["git's own in another spelling", put('dir/.GIT/hooks/x'), 'reserved'],
    ["git's own in Windows' spelling", put('.git. /x'), 'reserved'],
    ['a name of ours', put('.driftline-x'), 'reserved'],
    ['a device of Windows', put('dir/NUL'), 'reserved'],
    ['too long a name', put('x'.repeat(256)), 'too-long'],
    ['too long a path', put('dir/'.repeat(1200)), 'too-long'],
    ['a path through a file', put('a.txt/b.txt'), 'parent-is-a-file'],
    ['a folder instead of a file', edit('dir'), 'is-a-folder'],
    ['a folder to write over', put('dir'), 'is-a-folder'],
    ['a folder to delete', { tool: 'delete_file', path: 'dir' }, 'is-a-folder'],
    ['a folder to copy', { tool: 'copy_file', source: 'dir', destination: 'd2' }, 'is-a-folder'],
    ['a folder to move', { tool: 'move_file', source: 'dir', destination: 'd2' }, 'is-a-folder'],
    ['a file to make a folder of', { tool: 'create_dir', path: 'a.txt' }, 'is-a-file'],
    ['a file to remove as a folder', { tool: 'remove_dir', path: 'a.txt' }, 'is-a-file'],
    ['nothing to edit', edit('none.txt'), 'missing'],
    ['nothing to read', { tool: 'read_file', path: 'none.txt' }, 'missing'],
    ['nothing to copy', { tool: 'copy_file', source: 'none', destination: 'x' }, 'missing'],
    ['nothing to move', { tool: 'move_file', source: 'none', destination: 'x' }, 'missing'],
    ['a file in the way', { tool: 'copy_file', source: 'a.txt', destination: 'dir/b.txt' }, 'exists'],
    ['a file in the way of a move', { tool: 'move_file', source: 'a.txt', destination: 'dir/b.txt' }, 'exists'],
    [
      'a folder in the way',
      { tool: 'move_file', source: 'a.txt', destination: 'dir', overwrite: true },
      'destination-is-a-folder'
    ],
    ['itself', { tool: 'copy_file', source: 'a.txt', destination: './a.txt', overwrite: true }, 'same-file'],
    ['itself to move', { tool: 'move_file', source: 'a.txt', destination: 'a.txt', overwrite: true }, 'same-file'],
    ['a folder that is not empty', { tool: 'remove_dir', path: 'dir' }, 'not-empty'],
    ['a passage that occurs twice', { tool: 'edit_file', path: 'a.txt', old: 'a', new: 'x' }, 'ambiguous'],
    [
      'a passage that does not occur',
      { tool: 'edit_file', path: 'a.txt', old: 'omega is not there', new: 'x' },
      'not-found'
    ],
    ['an empty passage', { tool: 'edit_file', path: 'a.txt', old: '', new: 'x' }, 'empty-old'],
    ['half a character to insert', { tool: 'edit_file', path: 'a.txt', old: 'alpha', new: '\ud800' }, 'bad-text']
  ])('%s', async (_, use, reason) => {
    await expectRefused(folder, use, reason)
  })

  test('links to the outside, to nothing, to themselves or into git are refused', { tags: ['links'] }, async () => {
    await using folder = await recordedFolder({ files: FILES })
    const outside = join(dirname(folder.root), 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret.txt'), 'alpha\n')
    symlinkSync(outside, join(folder.root, 'out'))
    symlinkSync(join(outside, 'secret.txt'), join(folder.root, 'out.txt'))
    symlinkSync('nowhere', join(folder.root, 'gone.txt'))
    symlinkSync('loop', join(folder.root, 'loop'))
    symlinkSync('.git', join(folder.root, 'git'))
    await folder.check()
    await expectRefused(folder, edit('out/secret.txt'), 'link-out')
    await expectRefused(folder, edit('out.txt'), 'link-out')
    await expectRefused(folder, put('out/new.txt'), 'link-out')
    await expectRefused(folder, { tool: 'read_file', path: 'out.txt' }, 'link-out')
    await expectRefused(folder, { tool: 'copy_file', source: 'out.txt', destination: 'in.txt' }, 'link-out')
    await expectRefused(
      folder,
      { tool: 'copy_file', source: 'a.txt', destination: 'out.txt', overwrite: true },
      'link-out'
    )
    await expectRefused(folder, { tool: 'remove_dir', path: 'out', force: true }, 'is-a-file')
    await expectRefused(folder, put('gone.txt'), 'dangling-link')
    await expectRefused(folder, put('loop/x'), 'dangling-link')
    await expectRefused(folder, put('git/config'), 'reserved')
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('alpha\n')
    expect(existsSync(join(outside, 'new.txt'))).toBe(false)
  })

  test('a pipe is never opened', async () => {
    await using folder = await recordedFolder({ files: FILES })
    execFileSync('mkfifo', [join(folder.root, 'pipe')])
    await folder.check()
    await expectRefused(folder, edit('pipe'), 'special')
    await expectRefused(folder, { tool: 'read_file', path: 'pipe' }, 'special')
    await expectRefused(folder, put('pipe'), 'special')
    await expectRefused(folder, { tool: 'delete_file', path: 'pipe' }, 'special')
    await expectRefused(folder, { tool: 'copy_file', source: 'a.txt', destination: 'pipe', overwrite: true }, 'special')
  })

  test('[A28] another name of the same file is the same file', { tags: ['links'] }, async () => {
    await using folder = await recordedFolder({ files: FILES })
    linkSync(join(folder.root, 'a.txt'), join(folder.root, 'hard.txt'))
    symlinkSync('a.txt', join(folder.root, 'soft.txt'))
    await folder.check()
    for (const destination of ['hard.txt', 'soft.txt']) {
      await expectRefused(folder, { tool: 'copy_file', source: 'a.txt', destination, overwrite: true }, 'same-file')
      await expectRefused(folder, { tool: 'move_file', source: 'a.txt', destination, overwrite: true }, 'same-file')
    }
  })
})

test('an absolute path, and one through a link to the folder, name the same file', { tags: ['links'] }, async () => {
  await using folder = await recordedFolder({ files: FILES })
  const link = join(dirname(folder.root), 'another-way')
  symlinkSync(folder.root, link)
  const user = toolUser(folder)
  expect((await user.use(edit(join(folder.root, 'a.txt')))).paths).toEqual(['a.txt'])
  expect((await user.use({ tool: 'read_file', path: join(link, 'dir/b.txt') })).paths).toEqual(['dir/b.txt'])
})

test('a recorded folder inside this one is never changed', async () => {
  await using folder = await recordedFolder({ files: { ...FILES, 'inner/x.txt': 'alpha\n' } })
  await folder.engine.call('workspaces.add', { folder: join(folder.root, 'inner'), wait: true })
  await expectRefused(folder, edit('inner/x.txt'), 'other-folder')
  await expectRefused(folder, { tool: 'remove_dir', path: 'inner', force: true }, 'other-folder')
})

test('a folder with a repository, or with content that cannot be stored, is not removed', async () => {
  await using folder = await recordedFolder({ files: { 'lib/.git/HEAD': 'ref\n', 'lib/x': 'x', 'odd/y': 'y' } })
  execFileSync('mkfifo', [join(folder.root, 'odd/pipe')])
  await folder.check()
  await expectRefused(folder, { tool: 'remove_dir', path: 'lib', force: true }, 'holds-git')
  await expectRefused(folder, { tool: 'remove_dir', path: 'odd', force: true }, 'not-kept')
})

test('[UI-16] a refusal names the nearest line and the places, but nothing from a secret file', async () => {
  await using folder = await recordedFolder({
    files: {
      'a.ts': 'const one = 1\nconst two = load(first, second)\n',
      '.env': 'KEY=abcdefghijklmnopqrstuvwxyz\nB=1\nB=1\n'
    }
  })
  const user = toolUser(folder)
  const near = await user.refused({ tool: 'edit_file', path: 'a.ts', old: 'const two = store(second, first)', new: '' })
  expect(near.message).toMatch(/line 2 \(\d+ % alike\).*A passage is found from 85 % on\.$/s)
  expect(near.message).toContain('const two = load(first, second)')
  const guess = await user.refused({ tool: 'edit_file', path: '.env', old: 'KEY=abcdefghijklmnopqrstuvwxyy', new: 'x' })
  expect(guess.reason).toBe('not-found')
  expect(guess.message).not.toContain('nearest')
  for (const tool of ['copy_file', 'move_file'] as const)
    expect((await user.refused({ tool, source: '.env', destination: 'open.txt' })).reason).toBe('secret')
  expect((await user.use({ tool: 'copy_file', source: '.env', destination: '.env.local' })).noop).toBe(false)
  const read = await user.use({ tool: 'read_file', path: '.env' })
  expect(read).toMatchObject({ secret: true, bytes: 39 })
  expect(read.text).toBeUndefined()
  expect(JSON.stringify(read)).not.toContain('abcdef')
})

test('reading returns the lines as they are, one part at a time', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n + 1}`)
  await using folder = await recordedFolder({ files: { 'big.txt': `\ufeff${lines.join('\r\n')}\r\n`, 'none.txt': '' } })
  const user = toolUser(folder)
  const first = await user.use({ tool: 'read_file', path: 'big.txt' })
  expect(first.text).toMatchObject({ firstLine: 1, lastLine: 2000, lines: 5000 })
  expect(first.text?.content.startsWith('line 1\r\nline 2\r\n')).toBe(true)
  const rest = await user.use({ tool: 'read_file', path: 'big.txt', from: 4999, lines: 10 })
  expect(rest.text).toEqual({ content: 'line 4999\r\nline 5000\r\n', firstLine: 4999, lastLine: 5000, lines: 5000 })
  expect((await user.use({ tool: 'read_file', path: 'none.txt' })).text?.content).toBe('')
})

test('while a restore is interrupted no tool writes', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const run = await folder.run('a run', () => writeFileSync(join(folder.root, 'a.txt'), 'changed\n'))
  await folder.apply({ kind: 'undo-run', run })
  folder.store(({ db }) => db.prepare("UPDATE restore SET state = 'interrupted'").run())
  await expectRefused(folder, edit('a.txt'), 'restore-open')
  expect((await toolUser(folder).use({ tool: 'read_file', path: 'a.txt' })).text?.content).toBe('alpha\n')
})

test('a file too large to be stored is never changed, and no run is opened for it', async () => {
  await using folder = await recordedFolder({ files: { '.gitignore': '*.log\n', 'a.txt': 'a\n' } })
  const log = join(folder.root, 'big.log')
  writeFileSync(log, Buffer.alloc(6 * 1024 * 1024, 'x'))
  await folder.check()
  const user = toolUser(folder)
  for (const use of [
    { tool: 'delete_file', path: 'big.log' },
    { tool: 'write_file', path: 'big.log', content: '' },
    { tool: 'move_file', source: 'big.log', destination: 'b.log' },
    { tool: 'copy_file', source: 'a.txt', destination: 'big.log', overwrite: true }
  ] as const)
    expect((await user.refused(use)).reason).toBe('not-kept')
  expect(readFileSync(log)).toHaveLength(6 * 1024 * 1024)
  expect(
    (await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 5, kinds: ['run'] })).entries
  ).toEqual([])
})
