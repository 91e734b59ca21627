/**
 * Patches against the real `git apply`: forwards, backwards, inside and outside a repository.
 *
 * @module-tag git
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { formatPatch } from '../../../../src/main/engine/diff/patch.ts'
import { asReverted } from '../../../support/git-revert.ts'
import { LONG } from '../../../support/scale.ts'
import {
  changesBetween,
  describeTree,
  file,
  git,
  link,
  makeFolder,
  readTree,
  removeFolder,
  type Tree,
  tree,
  writeTree
} from './trees.ts'

/** Up to a text of 25 MB. */
const LARGE = LONG ? 500_000 : 50_000

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder)
})

/** Applies the patch from `before` to `after` and back, and compares bytes, kinds and modes each time. */
function expectRoundTrip(before: Tree, after: Tree, repositories = [true, false]): string {
  const { patch, omitted } = formatPatch(changesBetween(before, after))
  expect(omitted).toEqual([])
  for (const repository of repositories) {
    const folder = makeFolder(repository)
    folders.push(folder)
    writeTree(folder, before)
    git(folder, ['apply'], patch)
    expect(readTree(folder)).toEqual(describeTree(after))
    git(folder, ['apply', '-R'], patch)
    const reverted = (tree: Record<string, string>) => asReverted(tree, describeTree(before), describeTree(after))
    expect(reverted(readTree(folder))).toEqual(reverted(describeTree(before)))
  }
  return patch.toString('utf8')
}

const TEN = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')
const noise = (length: number): Buffer => Buffer.concat([Buffer.from([0]), randomBytes(length)])

describe('git apply accepts a patch, forwards and in reverse', () => {
  it(`of one line of ${LARGE} lines, and is small itself`, () => {
    const lines = Array.from({ length: LARGE }, (_, n) => `line ${n} of a large text, with some words behind it\n`)
    const before = lines.join('')
    lines[LARGE / 2] = 'changed\n'
    const patch = expectRoundTrip(tree({ large: file(before) }), tree({ large: file(lines.join('')) }), [true])
    expect(patch.length).toBeLessThan(1000)
  })

  // Starting git costs more than all of these texts, sizes or names.
  const texts: [string, string, string][] = [
    ['an edit', TEN, TEN.replace('line 7', 'line seven').replace('line 25', 'line 25b')],
    ['a removed final newline', 'a\nb\n', 'a\nb'],
    ['an added final newline', 'a\nb', 'a\nb\n'],
    ['no final newline on either side', 'a\nb', 'a\nc'],
    ['no final newline beside unchanged lines', `${TEN}end`, `new\n${TEN}end`],
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['LF to CRLF', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
    ['mixed line endings and lone CR', 'a\r\nb\nc\rd\ne\r', 'a\nb\r\nc\rD\ne\r\n'],
    ['all content removed', TEN, ''],
    ['content added to an empty file', '', TEN],
    ['lines that look like a patch', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n', '--- a/x\n-- \n@@ -1 +1 @@\n\\ No newline\n'],
    ['non-ASCII text with a byte order mark', '\ufeffgrün\n', '\ufeffblau 🎈\n'],
    ['a NUL byte after the first 8000 bytes', `${'x\n'.repeat(5000)}\0\n`, `${'x\n'.repeat(5000)}\0y\n`],
    ['trailing blanks and blank lines', 'a \n\n\n', 'a\t\n\n \n\n']
  ]
  it('of every kind of text', () => {
    const side = (of: (text: (typeof texts)[number]) => string) =>
      tree(Object.fromEntries(texts.map((text) => [text[0], of(text)])))
    expectRoundTrip(
      side(([, before]) => before),
      side(([, , after]) => after)
    )
  })

  it('files added and deleted, empty ones too, with the folders they need', () => {
    const before = tree({ gone: 'x\n', 'dir/gone': 'no newline', empty: '', keep: 'k\n' })
    const after = tree({ keep: 'k\n', 'new/deep/file': 'hello', 'new/empty': '', run: file('#!/bin/sh\n', true) })
    expectRoundTrip(before, after)
  })

  it('binary content, changed, added, deleted, both ways', () => {
    const before = tree({
      changed: file(noise(3000)),
      gone: file(noise(52)),
      toText: file(noise(10)),
      toEmpty: file(noise(5))
    })
    const after = tree({ changed: file(noise(10_000)), come: file(noise(53)), toText: 'now text\n', toEmpty: '' })
    const patch = expectRoundTrip(before, after)
    expect(patch).toContain('GIT binary patch\nliteral 10001\n')
    expect(patch).toMatch(/index [0-9a-f]{40}\.\.[0-9a-f]{40} 100644\n/)
  })

  it('binary content around every length that its encoding treats apart', () => {
    const lengths = [0, 1, 2, 3, 4, 5, 25, 26, 27, 51, 52, 53, 54, 103, 104, 105]
    const side = (more: number) => tree(Object.fromEntries(lengths.map((n) => [`${n} bytes`, file(noise(n + more))])))
    expectRoundTrip(side(0), side(1))
  })

  it('binary content of which a part changed, at any place, as what the versions copy of each other', () => {
    const start = noise(5000)
    const parts = (...all: Buffer[]) => file(Buffer.concat(all))
    const before = tree({ front: parts(start), middle: parts(start, noise(300), start), end: parts(start) })
    const after = tree({
      front: parts(noise(9), start.subarray(9)),
      middle: parts(start, start),
      end: parts(start, noise(400))
    })
    const patch = expectRoundTrip(before, after)
    expect(patch).toContain('GIT binary patch\ndelta ')
    expect(patch.length).toBeLessThan(5000)
  })

  it('one byte of a large binary file, in a small patch', () => {
    const before = Buffer.alloc(17 * 2 ** 20)
    const after = Buffer.from(before)
    after[9_000_000] = 1
    expect(expectRoundTrip(tree({ big: file(before) }), tree({ big: file(after) }), [true]).length).toBeLessThan(500)
  })

  it('invalid UTF-8 byte for byte', () => {
    const before = tree({ latin: file(Buffer.from('gr\xfcn\n', 'latin1')) })
    expectRoundTrip(before, tree({ latin: file(Buffer.from('gr\xfcner\n\xff\xfe', 'latin1')) }))
  })

  it('modes alone, and with an edit', () => {
    const before = tree({ a: file('a\n'), b: file('b\n', true), 'with space': file('c\n'), empty: '' })
    const after = tree({
      a: file('a\n', true),
      b: file('B\n'),
      'with space': file('c\n', true),
      empty: file('', true)
    })
    expect(expectRoundTrip(before, after)).toContain('old mode 100644\nnew mode 100755\n')
  })

  it('renames, pure, with edits, with modes, of binary content, into a folder of their own name', () => {
    const bin = noise(500)
    const before = tree({ a: TEN, b: `${TEN}b`, c: file(`${TEN}c`), d: file(bin), e: `${TEN}e` })
    const after = tree({
      'moved/a': TEN,
      b2: `${TEN}b`.replace('line 3', 'line three'),
      c2: file(`${TEN}c`, true),
      'd.bin': file(bin),
      'e/e': `${TEN}e`
    })
    const patch = expectRoundTrip(before, after)
    expect(patch.match(/^rename from /gm)).toHaveLength(5)
    expect(patch).toContain('similarity index 100%\nrename from a\nrename to moved/a\n')
  })

  const ODD = [
    'with space',
    ' lead and trail ',
    ' /f',
    'd /e /f',
    ' /"',
    'quo"te',
    "apos'trophe",
    'back\\slash',
    'new\nline',
    'tab\there',
    'ctrl\u0001\u007f',
    'grün',
    '日本/語',
    '🎈',
    '-dash',
    '--- a',
    'a b/x b',
    'b/b',
    'a/a',
    '$HOME',
    '/dev/null'.slice(1),
    'x => y',
    '{a,b}'
  ]
  const each = <T>(entryOf: (name: string) => readonly [string, T]) => Object.fromEntries(ODD.map(entryOf))
  const kinds: readonly (readonly [string, Tree, Tree])[] = [
    ['edited', tree(each((name) => [name, 'x\n'])), tree(each((name) => [name, 'y\n']))],
    ['added', tree({ keep: '' }), tree({ keep: '', ...each((name) => [name, '']) })],
    ['deleted', tree({ keep: '', ...each((name) => [name, 'x']) }), tree({ keep: '' })],
    ['made executable', tree(each((name) => [name, 'x'])), tree(each((name) => [name, file('x', true)]))],
    [
      'moved to another folder',
      tree(each((name) => [name, `${TEN}${name}`])),
      tree(each((name) => [`to/${name}`, `${TEN}${name}`]))
    ],
    [
      'renamed and edited',
      tree(each((name) => [`${name}.1`, `${TEN}${name}`])),
      tree(each((name) => [`${name}.2`, `${TEN}${name}\nmore\n`]))
    ],
    [
      'changed in binary content',
      tree(each((name) => [name, file(noise(9))])),
      tree(each((name) => [name, file(noise(9))]))
    ]
  ]
  it.each(kinds)('odd names, %s, in one patch', (kind, before, after) => {
    expectRoundTrip(before, after, kind === 'edited' ? [true, false] : [false])
  })

  it('symlinks added, changed, deleted, dangling, with odd targets', () => {
    const before = tree({ 'real/f': 'f\n', changed: link('real'), gone: link('/nowhere/at all') })
    const after = tree({ 'real/f': 'f\n', changed: link('real/f'), 'in/come': link('../real\n"x" ü') })
    expect(expectRoundTrip(before, after)).toContain('new file mode 120000\n')
  })

  it('a file that becomes a symlink and a symlink that becomes a file', () => {
    const before = tree({ 'real/f': 'f\n', a: 'text\n', b: link('real'), c: file(noise(20)), d: '' })
    const after = tree({ 'real/f': 'f\n', a: link('real'), b: 'text', c: link('x'), d: link('d') })
    expectRoundTrip(before, after)
  })

  it('files and links swapped with folders', () => {
    const before = tree({ a: 'file\n', 'b/one': '1\n', 'b/two/x': '2\n', c: link('b'), 'd/f': TEN, 'e-': 'x', e: 'e' })
    const after = tree({ 'a/one': '1\n', 'a/b/c': 'x', b: 'file', 'c/one': 'c\n', d: link('a'), 'e-': 'y', 'e/f': 'g' })
    expectRoundTrip(before, after)
  })

  it('a folder that becomes its own file by a rename', () => {
    expectRoundTrip(tree({ 'd/f': TEN }), tree({ d: TEN }))
    expectRoundTrip(tree({ d: TEN }), tree({ 'd/d/d': `${TEN}x` }))
  })

  it('names swapped between two files', () => {
    expectRoundTrip(tree({ a: TEN, b: 'other\n' }), tree({ a: 'other\n', b: TEN }))
  })

  it('in a folder below the top of a repository git needs --directory, or it silently skips every file', () => {
    const { patch } = formatPatch(changesBetween(tree({ f: 'a\n' }), tree({ f: 'b\n' })))
    const folder = makeFolder(true)
    folders.push(folder)
    writeTree(folder, tree({ 'inside/f': 'a\n' }))
    git(join(folder, 'inside'), ['apply'], patch)
    expect(readTree(folder)).toEqual(describeTree(tree({ 'inside/f': 'a\n' })))
    git(join(folder, 'inside'), ['apply', '--directory=inside'], patch)
    expect(readTree(folder)).toEqual(describeTree(tree({ 'inside/f': 'b\n' })))
  })
})
