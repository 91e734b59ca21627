/** @module-tag git */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitFolderAt } from '../../../../src/main/engine/git/git-folder.ts'
import { createGitIndex } from '../../../../src/main/engine/git/git-index.ts'
import { type TempRepository, tempRepository } from './repository.ts'

let repo: TempRepository
beforeEach(() => {
  repo = tempRepository()
})
afterEach(() => repo.remove())

const tracked = (folder = '') => createGitIndex(gitFolderAt(join(repo.path, folder))!).tracked()
const FILES = ['a', 'b/c.txt', 'b/d/e/f', 'b.txt', 'ü/x', `long/${'n'.repeat(200)}/file`, 'z/1', 'z/2']
const FOLDERS = ['b', 'b/d', 'b/d/e', 'long', `long/${'n'.repeat(200)}`, 'z', 'ü']

function expectAll() {
  expect([...tracked().files].sort()).toEqual([...FILES].sort())
  expect([...tracked().folders].sort()).toEqual([...FOLDERS].sort())
}

describe('the git index', () => {
  it.each([2, 3, 4])('is read in version %i', (version) => {
    repo.git(['init', '-q'])
    for (const file of FILES) repo.put(file)
    repo.git(['add', ...FILES])
    // Only an entry with an extended flag makes git write version 3.
    if (version === 3) repo.git(['update-index', '--skip-worktree', 'b/d/e/f'])
    else repo.git(['update-index', '--index-version', String(version)])
    expect(readFileSync(join(repo.path, '.git/index')).readUInt32BE(4)).toBe(version)
    expectAll()
  })

  it('is read in a repository with SHA-256', () => {
    repo.git(['init', '-q', '--object-format=sha256'])
    for (const file of FILES) repo.put(file)
    repo.git(['add', ...FILES])
    expectAll()
  })

  it('is read when it is split', () => {
    repo.git(['init', '-q'])
    for (const file of FILES.slice(2)) repo.put(file)
    repo.git(['add', ...FILES.slice(2)])
    repo.git(['update-index', '--split-index'])
    for (const file of FILES.slice(0, 2)) repo.put(file)
    repo.git(['add', ...FILES.slice(0, 2)])
    expectAll()
  })

  it('is read in a worktree', () => {
    repo.git(['init', '-q', 'main'])
    for (const file of FILES) repo.put(`main/${file}`)
    repo.git(['add', '.'], { in: 'main' })
    repo.git(['commit', '-qm', 'c'], { in: 'main' })
    repo.git(['worktree', 'add', '-q', '../other'], { in: 'main' })
    expect([...tracked('other').files].sort()).toEqual([...FILES].sort())
  })

  it('is read again when git changed it', () => {
    repo.git(['init', '-q'])
    const index = createGitIndex(gitFolderAt(repo.path)!)
    expect(index.tracked().files.size).toBe(0)
    repo.put('a')
    repo.git(['add', 'a'])
    expect(index.tracked().files).toEqual(new Set(['a']))
    expect(index.tracked()).toBe(index.tracked())
  })

  it('is empty when it is damaged, and never throws', () => {
    repo.git(['init', '-q'])
    for (const file of FILES) repo.put(file)
    repo.git(['add', ...FILES])
    for (const version of ['2', '4']) {
      repo.git(['update-index', '--index-version', version])
      const whole = readFileSync(join(repo.path, '.git/index'))
      repo.put('.git/index', whole.subarray(0, whole.length >> 1))
      expect(tracked().files.size).toBe(0)
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }), (edits) => {
          const damaged = Buffer.from(whole)
          for (const [at, byte] of edits) damaged[at] = byte
          repo.put('.git/index', damaged)
          expect(tracked().files.size).toBeLessThanOrEqual(FILES.length)
        }),
        { numRuns: 200 }
      )
      repo.put('.git/index', whole)
    }
  })
})
