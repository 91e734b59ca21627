/** Every kind of content has a view in the diff pane, and a notice if it has no text to compare. */
import { describe, expect, test } from 'vitest'
import type { FileDiff } from '../../../src/contract/diff.ts'
import type { FileVersion } from '../../../src/contract/log.ts'
import { excludedExplanation, notStoredTitle } from '../../../src/contract/words/excluded.ts'
import { diffViewKind } from '../../../src/renderer/features/diff/diff-view-kind.ts'
import { wordMarks } from '../../../src/renderer/features/diff/draw-words.ts'
import {
  countHidden,
  countHiddenShown,
  lineCount,
  modeChange,
  permissions,
  shortHash
} from '../../../src/renderer/features/diff/file-facts.ts'
import { maskSecrets } from '../../../src/renderer/features/diff/mask.ts'
import { svgAsImage } from '../../../src/renderer/features/diff/svg.ts'
import { buildTextDoc, isSvg } from '../../../src/renderer/features/diff/text-doc.ts'
import { usesSplitView } from '../../../src/renderer/features/diff/text-options.tsx'

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

describe('views', () => {
  test('text that differs is compared; a missing side is shown as one text', () => {
    expect(diffViewKind(text('a', 'b'), false)).toEqual({ kind: 'text', shape: 'changed' })
    expect(diffViewKind(text('', 'b', { before: absent }), false)).toEqual({ kind: 'text', shape: 'added' })
    expect(diffViewKind(text('a', '', { after: absent }), false)).toEqual({ kind: 'text', shape: 'deleted' })
  })
  test('an empty file that was added is still shown as a new file', () => {
    expect(diffViewKind(text('', '', { before: absent, after: side({ size: 0 }) }), false)).toMatchObject({
      shape: 'added'
    })
  })
  test('a rename without other changes names the old path, with its folder if that changed', () => {
    const same = { after: side(), change: 'renamed' } as const
    expect(diffViewKind(text('a', 'a', { oldPath: 'src/sum.ts', ...same }), false)).toMatchObject({
      icon: 'rename',
      title: 'Renamed from sum.ts, contents unchanged'
    })
    expect(diffViewKind(text('a', 'a', { oldPath: 'lib/sum.ts', ...same }), false)).toMatchObject({
      title: 'Renamed from lib/sum.ts, contents unchanged'
    })
  })
  test('changed permissions, changed line endings and no net change are notices, not texts', () => {
    expect(diffViewKind(text('a', 'a', { after: side({ mode: 0o755 }) }), false)).toMatchObject({
      icon: 'mode',
      title: 'Now executable, contents unchanged'
    })
    expect(diffViewKind(text('a\n', 'a\r\n', { eolOnly: 'LF → CRLF' }), false)).toMatchObject({
      title: 'Only line endings changed (LF → CRLF)'
    })
    expect(diffViewKind(text('a', 'a', { after: side() }), false)).toMatchObject({ title: 'Changed and changed back' })
  })
  test('different bytes of the same text are not called unchanged', () => {
    expect(diffViewKind(text('a', 'a'), false)).toMatchObject({ title: 'Same text, different bytes' })
  })
  test('the text is shown on request', () => {
    expect(diffViewKind(text('a', 'a', { after: side() }), true)).toEqual({ kind: 'text', shape: 'changed' })
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
    expect(others.map((diff) => diffViewKind(diff, true).kind)).toEqual([
      'image',
      'large',
      'opaque',
      'not-kept',
      'link',
      'dir'
    ])
  })
  const REASONS = [
    'too-large',
    'unreadable',
    'changing',
    'ignored',
    'never',
    'special',
    'name',
    'workspace',
    'pending',
    'pruned'
  ] as const

  test('[UI-1] every reason for missing content has a title and a remedy', () => {
    for (const reason of REASONS) {
      expect(notStoredTitle(reason)).toMatch(/^Not stored: .|^Content removed/)
      expect(excludedExplanation(reason)).toMatch(/\.$/)
      expect(excludedExplanation(reason, 'capture')).not.toContain('Settings, Capture')
    }
  })
  test('an SVG can be shown as text', () => {
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
    const view = { kind: 'text', shape: 'deleted' } as const
    expect(
      buildTextDoc({ diff, view, key: 'k', comparison: 'c', revealed: false, plain: false, labels })
    ).toMatchObject({
      before: '<svg/>',
      after: ''
    })
  })
})

describe('secrets', () => {
  const before = '# keys\nexport STRIPE_KEY=sk_live_123\nURL: "x"\nSAME=1\n'
  const after = '# keys\nexport STRIPE_KEY=sk_live_999\nURL: "x"\nSAME=1\n'
  test('the masked text contains no value; names and comments stay', () => {
    const masked = maskSecrets(before, after)
    expect(masked.before + masked.after).not.toMatch(/sk_live|"x"/)
    expect(masked.before).toContain('export STRIPE_KEY=••••••••••')
    expect(masked.before).toContain('# keys')
  })
  test('changed values stay different and equal values equal', () => {
    const a = maskSecrets(before, after).before.split('\n')
    const b = maskSecrets(before, after).after.split('\n')
    expect(a.map((line, i) => line === b[i])).toEqual([true, false, true, true, true])
  })
  test('a key file is masked line by line', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n'
    expect(maskSecrets(pem, pem).before).not.toContain('MIIEvQ')
  })
  test('values are masked until the user reveals them', () => {
    const diff = text(before, after, { secret: true })
    const view = { kind: 'text', shape: 'changed' } as const
    const labels = { before: 'Before', after: 'After' }
    const input = { diff, view, key: 'k', comparison: 'c', plain: false, labels }
    expect(buildTextDoc({ ...input, revealed: false })?.before).not.toContain('sk_live')
    expect(buildTextDoc({ ...input, revealed: true })?.before).toContain('sk_live_123')
  })
})

describe('facts about files', () => {
  test('permissions, hashes and line counts', () => {
    expect(permissions(0o755)).toBe('rwxr-xr-x')
    expect(modeChange(0o755, 0o644)).toBe('No longer executable')
    expect(modeChange(0o600, 0o644)).toBe('Permissions changed')
    expect(shortHash(`${'9f2c'.padEnd(60, '0')}04e1`)).toBe('9f2c…04e1')
    expect(['', 'a', 'a\n', 'a\nb'].map(lineCount)).toEqual([0, 1, 1, 2])
  })
  test('counts bidirectional and zero-width characters, but not a leading byte order mark', () => {
    expect(countHidden("'admin\u202e\u2066'")).toBe(2)
    expect(countHidden('\ufeffa')).toBe(0)
    expect(countHidden('a\u200bb\ufeff')).toBe(2)
    expect(countHidden('Käse 👨‍👩‍👧 🏳️‍🌈')).toBe(0)
    expect(countHidden('👨\u200da\u200d👧')).toBe(2)
  })
  test('[UI-57] a hidden character of an unchanged line counts once, those of changed lines on both sides', () => {
    expect(countHiddenShown('a\u200b\nb\u200b\n', 'a\u200b\nc\u200b\u200b\n')).toBe(4)
    expect(countHiddenShown('\ufeffa\n', '\ufeffa\n')).toBe(0)
    expect(countHiddenShown('\ufeffa\n', 'a\n')).toBe(0)
  })
  test('the split view is the default from 900 px; a choice overrides it', () => {
    expect([
      usesSplitView('auto', 899),
      usesSplitView('auto', 900),
      usesSplitView('split', 400),
      usesSplitView('inline', 2000)
    ]).toEqual([false, true, true, false])
  })
  test('changed parts of lines are marked; lines that changed as a whole are not', () => {
    const lines = ["import { add } from './add'", '  const b = 2', 'tail']
    const textOf = (line: number) => lines[line - 1] ?? ''
    expect(wordMarks([{ startLine: 1, startColumn: 10, endLine: 1, endColumn: 13 }], textOf)).toEqual([
      { line: 1, startColumn: 10, endColumn: 13 }
    ])
    const across = [{ startLine: 1, startColumn: 24, endLine: 2, endColumn: 14 }]
    expect(wordMarks(across, textOf)).toEqual([{ line: 1, startColumn: 24, endColumn: 28 }])
  })
})

describe('SVG', () => {
  test('[UI-1] an SVG becomes an image with its whole text', () => {
    const picture = svgAsImage(text('<svg>ä</svg>', '<svg/>', { path: 'a.SVG' }))
    expect(picture.view).toBe('image')
    const view = { kind: 'text', shape: 'changed' } as const
    const labels = { before: 'Before', after: 'After' }
    const doc = buildTextDoc({ diff: picture, view, key: 'k', comparison: 'c', revealed: false, plain: false, labels })
    expect([doc?.before, doc?.after]).toEqual(['<svg>ä</svg>', '<svg/>'])
  })
  test('an absent side of an SVG stays absent', () => {
    expect(svgAsImage(text('', '<svg/>', { path: 'a.svg', before: absent }))).toMatchObject({ beforeBase64: null })
  })
  test('other text and masked text stay text', () => {
    expect(svgAsImage(text('a', 'b')).view).toBe('text')
    expect(svgAsImage(text('a', 'b', { path: 'a.svg', secret: true })).view).toBe('text')
  })
})
