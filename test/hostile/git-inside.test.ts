/** [LG-5] .git is never recorded and never written, in the folder, in nested repositories, as a file and in any case. */
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectRoundTrip, expectSound } from '../support/round-trip.ts'
import { remove, writeFiles } from '../support/tree.ts'

function git(at: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: at, stdio: 'ignore' })
}

/** Every file of a repository's .git with its bytes and times. */
function wholeGit(root: string): unknown {
  const at = join(root, '.git')
  return (readdirSync(at, { recursive: true }) as string[]).sort().map((name) => {
    const stats = lstatSync(join(at, name))
    return [name, stats.mtimeMs, stats.mode, stats.isFile() ? readFileSync(join(at, name)).toString('base64') : '']
  })
}

test('[LG-5] .git and its contents are never recorded, also as a file and in any letter case', async () => {
  await using folder = await recordedFolder({
    files: { '.git/config': 'x', 'sub/.git': 'gitdir: ../x', 'other/.GIT/y': 'y', '.gitignore': '' }
  })
  await folder.run('more', () => writeFiles(folder.root, { '.git/HEAD': 'x', 'new/.git/z': 'z' }))
  const names = folder.store((store) =>
    store.db.prepare("SELECT name FROM path WHERE lower(name) LIKE '%.git' OR lower(name) LIKE '%.git/%'").all()
  )
  expect(names).toEqual([])
})

test('[CP-4] [LG-5] no edit or restore touches .git of the folder or of nested repositories', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one\n', 'sub/b': 'one\n' },
    make: (root) => {
      for (const at of [root, join(root, 'sub')]) {
        git(at, 'init', '-q')
        git(at, 'add', '-A')
        git(at, 'commit', '-qm', 'first')
      }
    }
  })
  const repositories = (): unknown => ['', 'sub'].map((at) => wholeGit(join(folder.root, at)))
  const before = repositories()
  await expectRoundTrip(folder, () => {
    writeFiles(folder.root, { a: 'two\n', 'sub/new/c': 'c\n' })
    remove(folder.root, 'sub/b')
  })
  expect(repositories(), 'index, HEAD, refs and objects are byte for byte what they were').toEqual(before)
})

test('[RS-4] undoing a run that created a nested repository removes its files, keeps its .git, and says so', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('clone', () => {
    writeFiles(folder.root, { 'clone/file': 'x', 'clone/deep/er': 'y' })
    git(join(folder.root, 'clone'), 'init', '-q')
  })
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.filter((item) => item.result === 'kept').map((item) => [item.path, item.reason])).toEqual([
    ['clone', { code: 'not-empty', name: '.git' }]
  ])
  expect(readdirSync(join(folder.root, 'clone'))).toEqual(['.git'])
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toMatchObject({ 'clone/file': expect.any(String), 'clone/deep/er': expect.any(String) })
  await expectSound(folder)
})
