/** Recorded paths as paths of the system. */
import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { absoluteOf } from '../../../../src/main/engine/files/workspace-fs.ts'

test.each([
  'a.txt',
  'src/nul',
  'aux.txt',
  'dir/con/prn.log',
  'com1',
  'ends with a dot.',
  'ends with a blank ',
  `${'long/'.repeat(80)}name`
])('[CP-6] %s reaches Windows unchanged, in the form that takes long paths and reserved names', (path) => {
  const below = path.replaceAll('/', '\\')
  for (const [root, prefix] of [
    ['C:\\project', '\\\\?\\C:\\project\\'],
    ['D:\\', '\\\\?\\D:\\'],
    ['\\\\server\\share\\project', '\\\\?\\UNC\\server\\share\\project\\']
  ] as const) {
    expect(absoluteOf(root, path, win32.sep)).toBe(`${root.replace(/\\$/, '')}\\${below}`)
    // What Node does with every path of a call to the file system.
    expect(win32.toNamespacedPath(absoluteOf(root, path, win32.sep))).toBe(prefix + below)
  }
})

test('[CP-6] paths of POSIX systems keep every character', () => {
  expect(absoluteOf('/home/p', 'a\\b/c:d', posix.sep)).toBe('/home/p/a\\b/c:d')
  expect(absoluteOf('/', 'etc/x', posix.sep)).toBe('/etc/x')
  expect(absoluteOf('/home/p', '', posix.sep)).toBe('/home/p')
})
