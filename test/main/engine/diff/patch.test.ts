/** What a patch leaves out and says so, and its exact form. */
import { expect, it } from 'vitest'
import type { FileVersion } from '../../../../src/contract/log.ts'
import { formatPatch, type PatchInput } from '../../../../src/main/engine/diff/patch.ts'
import { ABSENT, changesBetween, file, link, tree, versionOf } from './trees.ts'

function input(
  path: string,
  before: FileVersion,
  after: FileVersion,
  sides: Partial<ReturnType<PatchInput['read']>> = {}
): PatchInput {
  const change = { path, before, after, attribution: 'declared' as const, interleaved: false }
  return { change, read: () => ({ before: null, after: null, ...sides }) }
}

const NOT_KEPT: FileVersion = { ...ABSENT, kind: 'file', size: 9, mode: 0o644, notStored: 'too-large' }
const DIR: FileVersion = { ...ABSENT, kind: 'dir', mode: 0o755 }
const text = versionOf(file('x\n'))

it('names the files whose content is not stored and omits only those', () => {
  const { patch, omitted } = formatPatch([
    input('z', NOT_KEPT, ABSENT),
    input('b', text, NOT_KEPT, { before: Buffer.from('x\n') }),
    input('new', ABSENT, text, { after: Buffer.from('x\n') }),
    input('unknown', { ...ABSENT, kind: 'unknown' }, text, { after: Buffer.from('x\n') }),
    input('fifo', ABSENT, { ...ABSENT, kind: 'special' })
  ])
  expect(omitted).toEqual(['b', 'fifo', 'unknown', 'z'])
  expect(patch.toString()).toBe(
    [
      'diff --git a/new b/new',
      'new file mode 100644',
      'index 0000000000000000000000000000000000000000..587be6b4c3f93f93c489c0111bba5596147a26cb',
      '--- /dev/null',
      '+++ b/new',
      '@@ -0,0 +1 @@',
      '+x',
      ''
    ].join('\n')
  )
})

it('names binary files that are too large to be in a patch as a whole', () => {
  const [before, after] = [1, 2].map((fill) => Buffer.alloc(17 * 2 ** 20, Buffer.of(0, fill)))
  const other = { ...text, hash: 'other' }
  expect(formatPatch([input('big', text, other, { before: before!, after: after! })])).toEqual({
    patch: Buffer.alloc(0),
    omitted: ['big'],
    beyond: []
  })
})

it('is no larger than can be sent: what has no room in it is named, and smaller changes behind it are in it', () => {
  const binary = (path: string, size: number): PatchInput =>
    input(path, ABSENT, text, { after: Buffer.alloc(size * 1000, Buffer.of(0, 1, 2)) })
  const lines = (path: string, size: number): PatchInput =>
    input(path, ABSENT, text, { after: Buffer.alloc(size * 1000, '"quoted and escaped"\n') })
  const changes = [binary('a', 20), binary('b', 20), binary('c', 2), lines('d', 37), lines('e', 5), lines('f', 50)]
  const { patch, omitted, beyond } = formatPatch(changes, 'git', { sent: 48_000, packed: 32_000 })
  expect(patch.toString().match(/^diff --git a\/./gm)).toEqual(['a', 'c', 'd'].map((path) => `diff --git a/${path}`))
  expect({ omitted, beyond }).toEqual({ omitted: ['f'], beyond: ['b', 'e'] })
  expect(JSON.stringify(patch.toString()).length).toBeLessThan(48_000)
})

it('contains a rename and a new mode without content if the hashes are equal', () => {
  const kept = { ...NOT_KEPT, hash: 'h', notStored: 'pruned' } as const
  const moved = input('to', kept, kept)
  const { patch, omitted } = formatPatch([
    { ...moved, change: { ...moved.change, oldPath: 'from' } },
    input('tool', kept, { ...kept, mode: 0o755 })
  ])
  expect(omitted).toEqual([])
  expect(patch.toString()).toBe(
    [
      'diff --git a/from b/to',
      'similarity index 100%',
      'rename from from',
      'rename to to',
      'diff --git a/tool b/tool',
      'old mode 100644',
      'new mode 100755',
      ''
    ].join('\n')
  )
})

it('leaves folders out without a word, and treats a folder beside a file as nothing', () => {
  const { patch, omitted } = formatPatch([
    input('dir', ABSENT, DIR),
    input('moded', DIR, { ...DIR, mode: 0o700 }),
    input('swapped', DIR, text, { after: Buffer.from('x\n') })
  ])
  expect(omitted).toEqual([])
  expect(patch.toString()).toMatch(/^diff --git a\/swapped b\/swapped\nnew file mode 100644\n/)
})

it('names a change of mode bits that git does not record', () => {
  expect(formatPatch([input('f', text, { ...text, mode: 0o600 })])).toEqual({
    patch: Buffer.alloc(0),
    omitted: ['f'],
    beyond: []
  })
})

it('takes the execute bit of the owner, the only one git has', () => {
  const { patch } = formatPatch([input('f', { ...text, mode: 0o655 }, { ...text, mode: 0o744 })])
  expect(patch.toString()).toBe('diff --git a/f b/f\nold mode 100644\nnew mode 100755\n')
})

it('quotes names as git does, with a tab after a name with spaces', () => {
  const rename = input('b "c"', versionOf(file('1\n2\n3\n')), versionOf(file('1\n2\n4\n')), {
    before: Buffer.from('1\n2\n3\n'),
    after: Buffer.from('1\n2\n4\n')
  })
  const { patch } = formatPatch([{ ...rename, change: { ...rename.change, oldPath: 'b c' } }])
  expect(patch.toString()).toBe(
    [
      'diff --git a/b c "b/b \\"c\\""',
      'similarity index 66%',
      'rename from b c',
      'rename to "b \\"c\\""',
      'index 01e79c32a8c99c557f0757da7cb6d65b3414466d..e8a01cd985125a824409ef6b2f264c76b54ffe6a 100644',
      '--- a/b c\t',
      '+++ "b/b \\"c\\""\t',
      '@@ -1,3 +1,3 @@',
      ' 1',
      ' 2',
      '-3',
      '+4',
      ''
    ].join('\n')
  )
})

it('leaves out names for which git apply would refuse the whole patch', () => {
  const names = ['.git', 'sub/.GIT/config', 'a/git~1', '.git. ', 'x\\.git', 'ok/.gitignore', '.gitmodules', '.github/f']
  const { omitted } = formatPatch(names.map((name) => input(name, ABSENT, text, { after: Buffer.from('x\n') })))
  expect(omitted).toEqual(['.git', '.git. ', 'a/git~1', 'sub/.GIT/config', 'x\\.git'])
  expect(formatPatch([input('.gitmodules', ABSENT, versionOf(link('x')))]).omitted).toEqual(['.gitmodules'])
})

it('orders files by the bytes of their paths, whatever order they come in', () => {
  const after = tree({ 'a/b': 'x', 'a-b': 'x', b: 'x', '\uffff': 'x', '🎈': 'x', é: 'x' })
  const changes = changesBetween(tree({}), after)
  const headers = (patch: Buffer): string[] => patch.toString().match(/^diff .*$/gm) ?? []
  const { patch } = formatPatch(changes)
  expect(headers(patch)).toEqual([
    'diff --git a/a-b b/a-b',
    'diff --git a/a/b b/a/b',
    'diff --git a/b b/b',
    'diff --git "a/\\303\\251" "b/\\303\\251"',
    'diff --git "a/\\357\\277\\277" "b/\\357\\277\\277"',
    'diff --git "a/\\360\\237\\216\\210" "b/\\360\\237\\216\\210"'
  ])
  expect(formatPatch([...changes].reverse()).patch).toEqual(patch)
})

it('omits an unchanged path, and is empty without changes', () => {
  expect(formatPatch([input('f', text, text)])).toEqual({ patch: Buffer.alloc(0), omitted: [], beyond: [] })
  expect(formatPatch([]).patch).toHaveLength(0)
})
