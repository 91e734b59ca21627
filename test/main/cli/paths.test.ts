import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { DriftlineError } from '../../../src/contract/errors.ts'
import { folderArgument } from '../../../src/main/cli/context.ts'
import { distinctPaths, realFolder, remotePath, workspacePath } from '../../../src/main/cli/paths.ts'
import { mountForeignDisk } from '../../support/foreign-disk.ts'
import { tempFolder } from '../../support/tmp.ts'

const created: string[] = []
afterEach(() => {
  for (const dir of created.splice(0)) rmSync(dir, { recursive: true, force: true })
})

const at = (cwd: string, typed: string): string => workspacePath('/w/app', cwd, typed, posix)

test('within the workspace a path is relative to the current folder', () => {
  expect(at('/w/app/src', 'a.ts')).toBe('src/a.ts')
  expect(at('/w/app/src', '../README')).toBe('README')
  expect(at('/w/app/src', './x/../y/')).toBe('src/y')
  expect(at('/w/app', '.')).toBe('')
})

test('outside the workspace a path is relative to the root', () => {
  expect(at('/elsewhere', 'src/a.ts')).toBe('src/a.ts')
  expect(at('/w/application', 'a')).toBe('a')
})

test('absolute paths within the workspace work', () => {
  expect(at('/elsewhere', '/w/app/src/a.ts')).toBe('src/a.ts')
  expect(at('/elsewhere', '/w/app')).toBe('')
})

test.each(['../other', '/etc/passwd', '..', '../../w/app/../x', '/w/application/a', 'a\0b'])(
  'a path outside the workspace is refused: %j',
  (typed) => {
    expect(() => at('/w/app', typed)).toThrow(DriftlineError)
    expect(() => at('/w/app', typed)).toThrow(expect.objectContaining({ code: 'PathOutsideWorkspace' }))
  }
)

test('a folder that is named by its absolute path is found where the current folder was deleted', () => {
  const cwd = (): string => {
    throw new Error('ENOENT: uv_cwd')
  }
  const given = { invocation: { cwd }, host: null } as unknown as Parameters<typeof folderArgument>[0]
  using place = tempFolder()
  expect(folderArgument(given, place.path)).toBe(realpathSync(place.path))
  expect(() => folderArgument(given, 'app')).toThrow(/current folder no longer exists/)
})

test('names that start with dots are not parent folders', () => {
  expect(at('/w/app', '..data/x')).toBe('..data/x')
  expect(at('/w/app', '...')).toBe('...')
})

test('Windows paths become root-relative with slashes; other drives are refused', () => {
  const windows = (typed: string): string => workspacePath('C:\\w\\app', 'C:\\w\\app\\src', typed, win32)
  expect(windows('a\\b.ts')).toBe('src/a/b.ts')
  expect(windows('c:\\w\\app\\X.ts')).toBe('X.ts')
  expect(() => windows('D:\\x')).toThrow(expect.objectContaining({ code: 'PathOutsideWorkspace' }))
})

test('links above the workspace are resolved; links within it are not followed', { tags: ['links'] }, () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-paths-')))
  created.push(base)
  const root = join(base, 'real', 'app')
  mkdirSync(join(root, 'src'), { recursive: true })
  symlinkSync(join(base, 'real'), join(base, 'alias'))
  symlinkSync(base, join(root, 'out'))
  expect(workspacePath(root, base, join(base, 'alias', 'app', 'src', 'gone', 'a.ts'))).toBe('src/gone/a.ts')
  expect(workspacePath(root, root, 'out')).toBe('out')
  expect(realFolder(join(base, 'alias', 'app'))).toBe(root)
  expect(realFolder(join(base, 'nowhere'))).toBe(join(base, 'nowhere'))
})

test('[CP-7] a disk that tells letter case apart keeps each spelling as it was typed', { tags: ['linux'] }, () => {
  using temp = tempFolder()
  mkdirSync(join(temp.path, 'src'))
  writeFileSync(join(temp.path, 'src/b.js'), '')
  expect(workspacePath(temp.path, temp.path, 'SRC/B.JS')).toBe('SRC/B.JS')
})

test('[CP-7] a disk that folds names finds a file in every spelling, and so do we', async ({ skip }) => {
  using temp = tempFolder()
  using disk = mountForeignDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip('a disk of that kind (root, loop devices and FUSE)')
  const root = join(temp.path, 'disk')
  mkdirSync(join(root, 'Src/sub'), { recursive: true })
  writeFileSync(join(root, 'Src/b.js'), '')
  writeFileSync(join(root, 'Src/sub/Äpfel.txt'), '')
  const typed = ['SRC/B.JS', './src/b.js', join(root, 'src', 'B.js')]
  for (const path of typed) expect(workspacePath(root, root, path), path).toBe('Src/b.js')
  expect(workspacePath(root, join(root, 'Src'), 'SUB/äPFEL.TXT')).toBe('Src/sub/Äpfel.txt')
  expect(workspacePath(root, root, 'src/Gone.JS'), 'a missing file keeps its spelling').toBe('Src/Gone.JS')
  const named = typed.map((path) => workspacePath(root, root, path))
  expect(distinctPaths(named), 'one file, named three times').toEqual(['Src/b.js'])
})

test('several paths: the root selects everything, duplicates are removed', () => {
  expect(distinctPaths(['a', ''])).toBeUndefined()
  expect(distinctPaths(['a', 'a', 'b'])).toEqual(['a', 'b'])
})

test('[RH-1] a path on a host is one from the root there, whatever this computer has of that name', () => {
  const paths = ['a/../b', '/w/app/c/', '.', './d//e'].map((path) => remotePath('/w/app', path))
  expect(paths).toEqual(['b', 'c', '', 'd/e'])
  for (const path of ['../x', '/w/application', 'a\0b']) expect(() => remotePath('/w/app', path)).toThrow('is outside')
})
