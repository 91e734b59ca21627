import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { listFolders } from '../../../../src/main/engine/capture/listed-folders.ts'
import { scaled } from '../../../support/scale.ts'
import { type TempRepository, tempRepository } from '../git/repository.ts'

let repo: TempRepository
beforeEach(() => {
  repo = tempRepository()
})
afterEach(() => repo.remove())

const rules = (folder = '') => createIgnoreRules(join(repo.path, folder))

/** Every path below a folder, folders with a trailing '/', without `.git`. */
function allPaths(root: string, rel = ''): string[] {
  return readdirSync(join(root, rel), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.git') return []
    const path = rel === '' ? entry.name : `${rel}/${entry.name}`
    return entry.isDirectory() ? [`${path}/`, ...allPaths(root, path)] : [path]
  })
}

/** What git itself ignores among `paths`. */
function gitIgnored(paths: string[], folder = ''): string[] {
  try {
    const input = paths.map((path) => `${path.replace(/\/$/, '')}\0`).join('')
    const out = repo.git(['check-ignore', '--no-index', '-z', '--stdin'], { input, in: folder })
    const found = new Set(out.split('\0'))
    return paths.filter((path) => found.has(path.replace(/\/$/, '')))
  } catch (error) {
    // git exits 1 when nothing is ignored.
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}

function oursIgnored(paths: string[], folder = ''): string[] {
  const ours = rules(folder)
  return paths.filter((path) => (path.endsWith('/') ? ours.ignoresDir(path.slice(0, -1)) : ours.ignoresFile(path)))
}

/** All files that a listing of the folder names, and those of them that are ignored by it, in the order of `allPaths`. */
function listedFiles(): Record<'all' | 'ignored', string[]> {
  const folders = [...listFolders({ root: repo.path, rules: rules(), boundaries: new Set() }, null)].flat()
  const namesOf = (key: 'files' | 'ignored') =>
    new Set(
      folders.flatMap((folder) => folder[key].map((name) => (folder.path === '' ? name : `${folder.path}/${name}`)))
    )
  const inOrder = (names: Set<string>) => allPaths(repo.path).filter((path) => names.has(path))
  return { all: inOrder(namesOf('files')), ignored: inOrder(namesOf('ignored')) }
}

describe('without git', () => {
  it('ignores only the built-in folders', () => {
    for (const folder of ['src', 'dist', 'node_modules', 'pkg/node_modules', '.venv', 'x/__pycache__', '.git'])
      mkdirSync(join(repo.path, folder), { recursive: true })
    const { ignoresDir, ignoresFile } = rules()
    const left = ['src', 'dist', 'pkg', 'x', 'node_modules', 'pkg/node_modules', '.venv', 'x/__pycache__', '.git']
    expect(left.filter(ignoresDir)).toEqual(['node_modules', 'pkg/node_modules', '.venv', 'x/__pycache__', '.git'])
    expect(ignoresDir('')).toBe(false)
    expect(ignoresDir('node_modules/a/b')).toBe(true)
    expect(ignoresFile('node_modules')).toBe(false)
    expect(ignoresFile('node_modules/a.js')).toBe(true)
  })

  it('never covers .git, as a folder or as a file, at any depth', () => {
    repo.put('sub/.git', 'gitdir: nowhere')
    const { ignoresDir, ignoresFile } = rules()
    expect(['.git', 'sub/.git', 'a/.git/hooks'].map(ignoresDir)).toEqual([true, true, true])
    expect(['sub/.git', '.git/config', 'a/b/.git/x/y'].map(ignoresFile)).toEqual([true, true, true])
    expect(['.gitignore', 'x.git', '.github/x'].map(ignoresFile)).toEqual([false, false, false])
  })

  it('obeys .gitignore, and CACHEDIR.TAG, but only a valid one', { tags: ['links'] }, () => {
    repo.put('.gitignore', 'build/\n')
    repo.put('build/x')
    repo.put('target/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n# made by a tool\n')
    repo.put('fake/CACHEDIR.TAG', 'Signature: something else\n')
    mkdirSync(join(repo.path, 'linked'))
    symlinkSync('../target/CACHEDIR.TAG', join(repo.path, 'linked/CACHEDIR.TAG'))
    expect(['build', 'target', 'fake', 'linked'].map(rules().ignoresDir)).toEqual([true, true, false, false])
  })

  it('[CP-4] follows no link to ignore files and reads no huge ones', { tags: ['links'] }, () => {
    repo.put('rules', 'a/\n')
    symlinkSync('rules', join(repo.path, '.gitignore'))
    repo.put('big/.gitignore', `a/\n${'#'.repeat(2_000_000)}`)
    expect(['a', 'big/a'].map(rules().ignoresDir)).toEqual([false, false])
  })

  it('reads the rules again after refresh', () => {
    repo.put('a/.gitignore', 'out/')
    const ours = rules()
    expect(ours.ignoresDir('a/out')).toBe(true)
    repo.put('a/.gitignore', 'other/')
    expect(ours.ignoresDir('a/out')).toBe(true)
    ours.refresh('a')
    expect(['a/out', 'a/other'].map(ours.ignoresDir)).toEqual([false, true])
    repo.put('.gitignore', 'a/')
    ours.refresh()
    expect(ours.ignoresDir('a/out')).toBe(true)
  })
})

describe('in a repository', { tags: ['git'] }, () => {
  beforeEach(() => repo.git(['init', '-q']))

  it('obeys info/exclude, nested rules and their exceptions as git does', () => {
    repo.put('.git/info/exclude', 'private/\n')
    repo.put('.gitignore', '*.log\n/out\ndeep/**/gen\nbox/*\n!box/keep\nfoo\n/p/q \\[x]/\n')
    repo.put('a/.gitignore', '!important.log\n!foo\n')
    repo.put('p/.gitignore', '!q*\n')
    repo.put('p/q [x]/r/s')
    for (const file of ['x.log', 'a/x.log', 'a/important.log', 'out/x', 'a/out/x', 'deep/1/2/gen/x', 'private/x'])
      repo.put(file)
    for (const file of ['box/a/x', 'box/keep/x', 'a/foo/x', 'a/foo/b/c', 'foo/x']) repo.put(file)
    const paths = allPaths(repo.path)
    expect(oursIgnored(paths)).toEqual(gitIgnored(paths))
  })

  it('agrees with git check-ignore on random trees and rules', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'A', 'b.o', 'a.log', 'x y', 'd[1]', '#h', '!n', 'ä', '-', 'c*')
    const path = fc.array(name, { minLength: 1, maxLength: 4 })
    const piece = fc.constantFrom(
      'a',
      'b',
      'ab',
      '*',
      '**',
      '*.o',
      '?',
      'a*',
      '[ab]',
      '[!a]',
      'x y',
      '\\#h',
      '\\!n',
      'ä'
    )
    const rule = fc
      .tuple(
        fc.constantFrom('', '', '', '!'),
        fc.constantFrom('', '', '/'),
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/', ' ')
      )
      .map(([not, anchor, pieces, end]) => not + anchor + pieces.join('/') + end)
    const text = fc.array(rule, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`)
    const tree = fc.record({
      files: fc.array(path, { minLength: 1, maxLength: 14 }),
      rules: fc.array(fc.tuple(fc.array(name, { maxLength: 2 }), text), { minLength: 1, maxLength: 4 })
    })
    fc.assert(
      fc.property(tree, ({ files, rules }) => {
        for (const entry of readdirSync(repo.path))
          if (entry !== '.git') rmSync(join(repo.path, entry), { recursive: true })
        for (const file of files) tryPut(file.join('/'))
        for (const [folder, lines] of rules) tryPut([...folder, '.gitignore'].join('/'), lines)
        const paths = allPaths(repo.path)
        const ignored = gitIgnored(paths)
        expect(oursIgnored(paths)).toEqual(ignored)
        // An initial snapshot lists only folders that are not ignored.
        const { all: listed, ignored: listedAsIgnored } = listedFiles()
        expect(listedAsIgnored).toEqual(ignored.filter((path) => listed.includes(path)))
      }),
      { numRuns: scaled(25) }
    )
  }, 60_000)

  /** Skips a path whose parent is a file already. */
  function tryPut(path: string, text?: string) {
    try {
      repo.put(path, text)
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toMatch(/EEXIST|ENOTDIR|EISDIR/)
    }
  }

  it('covers an ignored folder with a tracked path, but not untracked paths below it', () => {
    repo.put('.gitignore', 'build/\n')
    repo.put('build/kept/a.txt')
    repo.put('build/cache/b.bin')
    repo.put('node_modules/own/index.js')
    repo.put('node_modules/other/index.js')
    const ours = rules()
    const folders = ['build', 'build/kept', 'build/cache', 'node_modules', 'node_modules/own', 'node_modules/other']
    expect(folders.filter((folder) => !ours.ignoresDir(folder))).toEqual([])
    repo.git(['add', '-f', 'build/kept', 'node_modules/own'])
    expect(folders.filter((folder) => !ours.ignoresDir(folder))).toEqual([
      'build',
      'build/kept',
      'node_modules',
      'node_modules/own'
    ])
    expect(['build/kept/a.txt', 'build/kept/new.txt', 'build/cache/b.bin'].map(ours.ignoresFile)).toEqual([
      false,
      true,
      true
    ])
  })

  it('judges a nested repository by its own rules, and a submodule as tracked', () => {
    repo.put('.gitignore', 'dist/\nvendor/\nlib/\n')
    for (const folder of ['nested', 'vendor/lib']) {
      repo.put(`${folder}/.gitignore`, 'own/\n')
      repo.put(`${folder}/dist/x`)
      repo.put(`${folder}/own/x`)
      repo.git(['init', '-q'], { in: folder })
    }
    repo.git(['add', '.gitignore'], { in: 'vendor/lib' })
    repo.git(['commit', '-qm', 'c'], { in: 'vendor/lib' })
    const ours = rules()
    expect(['nested', 'nested/dist', 'nested/own', 'vendor', 'vendor/lib'].map(ours.ignoresDir)).toEqual([
      false,
      false,
      true,
      true,
      true
    ])
    repo.git(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`])
    expect(['vendor', 'vendor/lib', 'vendor/lib/own'].map(ours.ignoresDir)).toEqual([false, false, true])
  })

  it('obeys the rules of the repository around the folder', () => {
    repo.put('.gitignore', 'dist/\n/apps/web/out/\nmid\n')
    repo.put('apps/.gitignore', 'tmp/\n/web/gen/\n!mid\n')
    for (const file of ['dist/x', 'out/x', 'tmp/x', 'gen/x', 'src/x', 'src/dist/x', 'mid/x'])
      repo.put(`apps/web/${file}`)
    const paths = allPaths(join(repo.path, 'apps/web'))
    expect(oursIgnored(paths, 'apps/web')).toEqual(gitIgnored(paths, 'apps/web'))
    repo.git(['add', '-f', 'apps/web/dist'])
    expect(rules('apps/web').ignoresDir('dist')).toBe(false)
  })

  it('a home folder under git does not hide everything in it', () => {
    repo.put('.gitignore', '*\n!.gitignore\n')
    repo.put('code/shop/src/x')
    expect(rules('code/shop').ignoresDir('src')).toBe(false)
    expect(rules('code/shop').ignoresFile('src/x')).toBe(false)
  })
})
