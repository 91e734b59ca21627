/** Promises of the diff pane: every kind of content has its own view and its own sentence. */
import { describe, expect, test } from 'vitest'
import type { FileDiff } from '../../../src/contract/diff.ts'
import type { FileVersion } from '../../../src/contract/log.ts'
import { docOf, isSvg } from '../../../src/renderer/features/diff/doc-of.ts'
import { faceOf } from '../../../src/renderer/features/diff/face.ts'
import { countHidden } from '../../../src/renderer/features/diff/hidden-characters.ts'
import { maskSecrets } from '../../../src/renderer/features/diff/mask.ts'
import { bytes, lineCount, modeWords, permissions, shortHash } from '../../../src/renderer/features/diff/measures.ts'
import { NOT_KEPT_WORDS } from '../../../src/renderer/features/diff/not-kept.ts'
import { asPicture } from '../../../src/renderer/features/diff/svg.ts'
import { isSplit } from '../../../src/renderer/features/diff/view-choice.ts'
import { wordMarks } from '../../../src/renderer/features/diff/word-marks.ts'

const side = (more: Partial<FileVersion> = {}): FileVersion => ({
  kind: 'file',
  size: 2,
  mode: 0o644,
  hash: 'a'.repeat(64),
  target: null,
  notStored: null,
  ...more
})
const absent = side({ kind: 'absent', size: 0, mode: 0, hash: null })
type TextDiff = Extract<FileDiff, { view: 'text' }>
const text = (before: string, after: string, more: Partial<TextDiff> = {}): TextDiff => ({
  path: 'src/add.ts',
  change: 'modified',
  before: side(),
  after: side({ hash: 'b'.repeat(64) }),
  secret: false,
  view: 'text',
  beforeText: before,
  afterText: after,
  encodings: { before: 'utf8', after: 'utf8' },
  hidden: false,
  eolOnly: null,
  ...more
})

describe('what a reader sees', () => {
  test('text that differs is compared; a missing side is shown as one text', () => {
    expect(faceOf(text('a', 'b'), false)).toEqual({ kind: 'text', shape: 'changed' })
    expect(faceOf(text('', 'b', { before: absent }), false)).toEqual({ kind: 'text', shape: 'born' })
    expect(faceOf(text('a', '', { after: absent }), false)).toEqual({ kind: 'text', shape: 'gone' })
  })
  test('an empty file that was added is still shown as a new file', () => {
    expect(faceOf(text('', '', { before: absent, after: side({ size: 0 }) }), false)).toMatchObject({ shape: 'born' })
  })
  test('a rename alone says where it came from, with its folder when that changed', () => {
    const same = { after: side(), change: 'renamed' } as const
    expect(faceOf(text('a', 'a', { oldPath: 'src/sum.ts', ...same }), false)).toMatchObject({
      icon: 'rename',
      title: 'Renamed from sum.ts, contents unchanged'
    })
    expect(faceOf(text('a', 'a', { oldPath: 'lib/sum.ts', ...same }), false)).toMatchObject({
      title: 'Renamed from lib/sum.ts, contents unchanged'
    })
  })
  test('permissions alone, line endings alone and no net change are told, not drawn', () => {
    expect(faceOf(text('a', 'a', { after: side({ mode: 0o755 }) }), false)).toMatchObject({
      icon: 'mode',
      title: 'Now executable, contents unchanged'
    })
    expect(faceOf(text('a\n', 'a\r\n', { eolOnly: 'LF → CRLF' }), false)).toMatchObject({
      title: 'Only line endings changed (LF → CRLF)'
    })
    expect(faceOf(text('a', 'a', { after: side() }), false)).toMatchObject({ title: 'Changed and changed back' })
  })
  test('bytes that differ under the same text are not called unchanged', () => {
    expect(faceOf(text('a', 'a'), false)).toMatchObject({ title: 'The text is the same; its bytes differ.' })
  })
  test('a person who asks for the text gets it', () => {
    expect(faceOf(text('a', 'a', { after: side() }), true)).toEqual({ kind: 'text', shape: 'changed' })
  })
  test('every other kind has its own view', () => {
    const base = { path: 'x', change: 'modified', before: side(), after: side(), secret: false } as const
    const others: FileDiff[] = [
      { ...base, view: 'image', mime: 'image/png', beforeBase64: '', afterBase64: '' },
      { ...base, view: 'large', lines: 3 },
      { ...base, view: 'opaque', type: 'PDF document' },
      { ...base, view: 'not-kept', reason: 'pruned' },
      { ...base, view: 'link' },
      { ...base, view: 'dir' }
    ]
    expect(others.map((diff) => faceOf(diff, true).kind)).toEqual([
      'image',
      'large',
      'opaque',
      'not-kept',
      'link',
      'dir'
    ])
  })
  test('[UI-1] every reason for missing content has a sentence and a remedy', () => {
    for (const words of Object.values(NOT_KEPT_WORDS)) {
      expect(words.title).toMatch(/kept/)
      expect(words.remedy).toMatch(/\.$/)
    }
  })
  test('a drawing in text form can be read as text', () => {
    const diff: FileDiff = {
      path: 'a.svg',
      change: 'modified',
      before: side(),
      after: side(),
      secret: false,
      view: 'image',
      mime: 'image/svg+xml',
      beforeBase64: btoa('<svg/>'),
      afterBase64: null
    }
    expect(isSvg(diff)).toBe(true)
    const labels = { before: 'Before', after: 'After' }
    const face = { kind: 'text', shape: 'gone' } as const
    expect(docOf({ diff, face, key: 'k', revealed: false, plain: false, labels })).toMatchObject({
      before: '<svg/>',
      after: ''
    })
  })
})

describe('secrets', () => {
  const before = '# keys\nexport STRIPE_KEY=sk_live_123\nURL: "x"\nSAME=1\n'
  const after = '# keys\nexport STRIPE_KEY=sk_live_999\nURL: "x"\nSAME=1\n'
  test('no value is left in the masked text; names and comments stay', () => {
    const masked = maskSecrets(before, after)
    expect(masked.before + masked.after).not.toMatch(/sk_live|"x"/)
    expect(masked.before).toContain('export STRIPE_KEY=••••••••••')
    expect(masked.before).toContain('# keys')
  })
  test('changed values still differ and equal ones are still equal', () => {
    const a = maskSecrets(before, after).before.split('\n')
    const b = maskSecrets(before, after).after.split('\n')
    expect(a.map((line, i) => line === b[i])).toEqual([true, false, true, true, true])
  })
  test('a key file is masked line by line', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n'
    expect(maskSecrets(pem, pem).before).not.toContain('MIIEvQ')
  })
  test('masking is on until a person asks', () => {
    const diff = text(before, after, { secret: true })
    const face = { kind: 'text', shape: 'changed' } as const
    const labels = { before: 'Before', after: 'After' }
    const input = { diff, face, key: 'k', plain: false, labels }
    expect(docOf({ ...input, revealed: false })?.before).not.toContain('sk_live')
    expect(docOf({ ...input, revealed: true })?.before).toContain('sk_live_123')
  })
})

describe('words and measures', () => {
  test('sizes, permissions and hashes read as people write them', () => {
    expect([0, 999, 14_200, 84_000_000, 999_900].map(bytes)).toEqual(['0 B', '999 B', '14.2 kB', '84 MB', '1 MB'])
    expect(permissions(0o755)).toBe('rwxr-xr-x')
    expect(modeWords(0o755, 0o644)).toBe('No longer executable')
    expect(modeWords(0o600, 0o644)).toBe('Permissions changed')
    expect(shortHash(`${'9f2c'.padEnd(60, '0')}04e1`)).toBe('9f2c…04e1')
    expect(['', 'a', 'a\n', 'a\nb'].map(lineCount)).toEqual([0, 1, 1, 2])
  })
  test('bidirectional and zero-width characters are counted, a leading byte order mark is not', () => {
    expect(countHidden("'admin\u202e\u2066'")).toBe(2)
    expect(countHidden('\ufeffa')).toBe(0)
    expect(countHidden('a\u200bb\ufeff')).toBe(2)
    expect(countHidden('Käse')).toBe(0)
  })
  test('two columns come by themselves at 900 px; a choice stays', () => {
    expect([isSplit('auto', 899), isSplit('auto', 900), isSplit('split', 400), isSplit('inline', 2000)]).toEqual([
      false,
      true,
      true,
      false
    ])
  })
  test('parts of lines are marked, lines new as a whole are not', () => {
    const lines = ["import { add } from './add'", '  const b = 2', 'tail']
    const textOf = (line: number) => lines[line - 1] ?? ''
    expect(wordMarks([{ startLine: 1, startColumn: 10, endLine: 1, endColumn: 13 }], textOf)).toEqual([
      { line: 1, startColumn: 10, endColumn: 13 }
    ])
    const across = [{ startLine: 1, startColumn: 24, endLine: 2, endColumn: 14 }]
    expect(wordMarks(across, textOf)).toEqual([{ line: 1, startColumn: 24, endColumn: 28 }])
  })
})

describe('drawings', () => {
  test('[UI-1] an SVG comes as a picture whose text is all there', () => {
    const picture = asPicture(text('<svg>ä</svg>', '<svg/>', { path: 'a.SVG' }))
    expect(picture.view).toBe('image')
    const face = { kind: 'text', shape: 'changed' } as const
    const labels = { before: 'Before', after: 'After' }
    const doc = docOf({ diff: picture, face, key: 'k', revealed: false, plain: false, labels })
    expect([doc?.before, doc?.after]).toEqual(['<svg>ä</svg>', '<svg/>'])
  })
  test('a missing side of a drawing stays missing', () => {
    expect(asPicture(text('', '<svg/>', { path: 'a.svg', before: absent }))).toMatchObject({ beforeBase64: null })
  })
  test('other text and masked text stay text', () => {
    expect(asPicture(text('a', 'b')).view).toBe('text')
    expect(asPicture(text('a', 'b', { path: 'a.svg', secret: true })).view).toBe('text')
  })
})
