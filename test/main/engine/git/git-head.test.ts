/** @module-tag git */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readGitHead } from '../../../../src/main/engine/git/git-head.ts'
import { type TempRepository, tempRepository } from './repository.ts'

let repo: TempRepository
beforeEach(() => {
  repo = tempRepository()
})
afterEach(() => repo.remove())

/** A repository whose refs are files, whatever git prefers. */
const FILES = ['-c', 'init.defaultRefFormat=files', 'init', '-q']
const head = (folder = '') => readGitHead(join(repo.path, folder))
const commit = (folder = '') => {
  repo.git(['commit', '-q', '--allow-empty', '-m', 'c'], { in: folder })
  return repo.git(['rev-parse', 'HEAD'], { in: folder }).trim()
}

describe('the head of a repository', () => {
  it('is null in a folder without git', () => expect(head()).toBeNull())

  it('is a branch without a commit at first, then with one', () => {
    repo.git(['init', '-q'])
    expect(head()).toEqual({ branch: 'main', commit: '' })
    const id = commit()
    expect(head()).toEqual({ branch: 'main', commit: id })
  })

  it('is found from a subfolder, and on branches with slashes', () => {
    repo.git(['init', '-q'])
    const id = commit()
    repo.git(['switch', '-qc', 'fix/tax'])
    mkdirSync(join(repo.path, 'src/deep'), { recursive: true })
    expect(head('src/deep')).toEqual({ branch: 'fix/tax', commit: id })
  })

  it('is found when refs are packed, and is not another ref with the same end', () => {
    repo.git(['init', '-q'])
    const old = commit()
    repo.git(['branch', 'x/main', old])
    repo.git(['branch', 'main-2', old])
    const id = commit()
    repo.git(['pack-refs', '--all'])
    expect(head()).toEqual({ branch: 'main', commit: id })
  })

  it('has no branch when detached', () => {
    repo.git(['init', '-q'])
    const id = commit()
    repo.git(['checkout', '-q', '--detach'])
    expect(head()).toEqual({ branch: '', commit: id })
  })

  it('is separate in a worktree and in a submodule', () => {
    repo.git(['init', '-q', 'one'])
    const id = commit('one')
    repo.git(['worktree', 'add', '-qb', 'side', '../two'], { in: 'one' })
    expect(head('two')).toEqual({ branch: 'side', commit: id })
    const later = commit('two')
    expect(head('two')).toEqual({ branch: 'side', commit: later })
    expect(head('one')).toEqual({ branch: 'main', commit: id })
    repo.git(['init', '-q', 'outer'])
    repo.git(['submodule', '--quiet', 'add', '../one', 'sub'], { in: 'outer' })
    expect(head('outer/sub')).toEqual({ branch: 'main', commit: id })
    expect(head('outer')).toEqual({ branch: 'main', commit: '' })
  })

  it('works with SHA-256', () => {
    repo.git(['init', '-q', '--object-format=sha256'])
    const id = commit()
    expect(id).toHaveLength(64)
    expect(head()).toEqual({ branch: 'main', commit: id })
  })

  it.each([
    ['nonsense', 'what is this'],
    ['an escape', 'ref: refs/heads/../../../secret'],
    ['a path', 'ref: /etc/passwd'],
    ['another format', 'ref: refs/heads/.invalid'],
    ['a loop', 'ref: refs/heads/loop'],
    ['nothing', ''],
    ['a huge file', 'x'.repeat(100_000)]
  ])('is null, never an error, when HEAD holds %s', (_what, text) => {
    repo.git(FILES)
    repo.put('.git/refs/heads/loop', 'ref: refs/heads/loop')
    repo.put('secret', '1'.repeat(40))
    repo.put('.git/HEAD', text)
    expect(head()).toBeNull()
  })

  it('is null when .git points to a missing folder, or HEAD is a link to a secret', { tags: ['links'] }, () => {
    repo.put('a/.git', 'gitdir: ../nowhere')
    repo.put('b/.git', Buffer.from([0, 1, 2, 255]))
    repo.git([...FILES, 'c'])
    rmSync(join(repo.path, 'c/.git/HEAD'))
    repo.put('secret', '1'.repeat(40))
    symlinkSync('../../secret', join(repo.path, 'c/.git/HEAD'))
    expect(['a', 'b', 'c'].map(head)).toEqual([null, null, null])
  })
})
