/** @module-tag git */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dropHeldTwice } from '../../../../src/main/engine/git-state/held-objects.ts'
import { keepObjects, returnObjects } from '../../../../src/main/engine/git-state/kept-objects.ts'
import { GIT_ENV, runGit } from '../../../support/git.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** Bytes of files in `folder` of which it has the last name. */
function ownBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((stats) => stats.isFile() && stats.nlink === 1)
    .reduce((sum, { size }) => sum + size, 0)
}

test.each(['sha1', 'sha256'])(
  '[GT-9] after gc, kept objects (%s) take the space of those that git deleted, and all of those are readable',
  async (format) => {
    using temp = tempFolder()
    const [root, kept] = ['repository', 'kept'].map((name) => join(temp.path, name)) as [string, string]
    mkdirSync(root)
    const git = (...args: readonly string[]): string => runGit(root, ...args)
    const keep = (): boolean => keepObjects(join(root, '.git/objects'), kept, new Map())
    const commit = (name: string, lines: number): void => {
      const text = Array.from({ length: lines }, (_, n) => `${name} ${(n * 7919 * name.length).toString(36)}\n`)
      writeFileSync(join(root, `${name}.txt`), text.join(''))
      git('add', '.')
      git('commit', '-qm', name)
    }
    git('init', '-q', '-b', 'main', `--object-format=${format}`)
    for (let n = 0; n < 6; n++) commit(`file-${n}`, 3000)
    git('switch', '-qc', 'spike')
    commit('spike', 500)
    keep()
    const letGo = git('rev-list', '--objects', '--no-object-names', 'spike', '--not', 'main').split('\n')
    const looseBytes = letGo.reduce(
      (sum, id) => sum + statSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2))).size,
      0
    )
    // One pack with all, then one without the branch.
    git('repack', '-qad')
    keep()
    git('switch', '-q', 'main')
    git('branch', '-qD', 'spike')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
    keep()
    expect(ownBytes(kept)).toBeGreaterThan(looseBytes * 3)
    await dropHeldTwice(kept, join(root, '.git'))
    expect(ownBytes(kept) / looseBytes).toBeLessThanOrEqual(1.1)
    const env = { ...GIT_ENV, GIT_ALTERNATE_OBJECT_DIRECTORIES: kept }
    const check = execFileSync('git', ['cat-file', '--batch-check'], { cwd: root, env, input: letGo.join('\n') })
    expect(check.toString()).not.toContain('missing')
    expect(execFileSync('git', ['fsck', '--full', '--strict', letGo[0] ?? ''], { cwd: root, env }).toString()).toBe('')
  }
)

test('[GT-2] what a restore links back while the recorder sweeps stays kept', async () => {
  using temp = tempFolder()
  const [root, kept] = ['repository', 'kept'].map((name) => join(temp.path, name)) as [string, string]
  mkdirSync(root)
  const git = (...args: readonly string[]): string => runGit(root, ...args)
  git('init', '-q')
  const packed = git('commit-tree', '-m', 'packed', git('write-tree'))
  git('update-ref', 'refs/heads/main', packed)
  git('repack', '-qad')
  const loose = git('commit-tree', '-m', 'loose', git('write-tree'))
  const objects = join(root, '.git/objects')
  keepObjects(objects, kept, new Map())
  const all = readdirSync(kept, { recursive: true }).sort()
  rmSync(join(objects, loose.slice(0, 2)), { recursive: true })
  rmSync(join(objects, 'pack'), { recursive: true })
  const sweep = dropHeldTwice(kept, join(root, '.git'))
  // Git is asked only once this code has ended.
  returnObjects(kept, objects, () => true)
  await sweep
  expect(readdirSync(kept, { recursive: true }).sort()).toEqual(all)
})
