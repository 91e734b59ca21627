/** The parsed preview of a settings change: numbered lines, folded blocks, and headers told apart from content. */
import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { type ChangeLine, changedFiles, folded, reversed } from '../../../src/renderer/features/agents/change-lines.ts'

const patch = (before: string, after: string): string =>
  createTwoFilesPatch('/h/a.json', '/h/a.json', before, after, undefined, undefined, { context: 3 })

/** Rebuilds the text after (or before) the change from the lines. */
const side = (lines: readonly (ChangeLine | null)[], not: 'add' | 'delete'): string =>
  lines.flatMap((line) => (line && line.kind !== not ? [line.text] : [])).join('\n')

describe('a unified diff', () => {
  test('becomes lines of both sides with their numbers', () => {
    const before = '{\n  "a": 1,\n  "hooks": {}\n}\n'
    const after = '{\n  "a": 1,\n  "hooks": {\n    "Stop": []\n  }\n}\n'
    const [file] = changedFiles(patch(before, after))
    expect(file).toMatchObject({ file: '/h/a.json', whole: null })
    expect(side(file?.lines ?? [], 'add')).toBe(before.trimEnd())
    expect(side(file?.lines ?? [], 'delete')).toBe(after.trimEnd())
    expect(file?.lines.map((line) => line && [line.kind, line.before, line.after])).toEqual([
      ['same', 1, 1],
      ['same', 2, 2],
      ['delete', 3, null],
      ['add', null, 3],
      ['add', null, 4],
      ['add', null, 5],
      ['same', 4, 6]
    ])
  })

  test('separates its hunks, and keeps a line that looks like a header as content', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`)
    const changed = lines.with(2, '-- /dev/null').with(25, '++ b')
    const [file, ...others] = changedFiles(patch(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`))
    expect(others).toEqual([])
    expect(file?.lines.filter((line) => line === null)).toHaveLength(1)
    expect(file?.lines.filter((line) => line?.kind === 'add').map((line) => line?.text)).toEqual([
      '-- /dev/null',
      '++ b'
    ])
  })

  test('reversed, removed lines are shown as added', () => {
    const [out] = changedFiles(patch('a\nours\nb\n', 'a\nb\n'))
    const [added] = changedFiles(patch('a\nb\n', 'a\nours\nb\n'))
    expect(out && reversed(out)).toEqual(added)
  })

  test('names created and removed files', () => {
    const made = createTwoFilesPatch('/dev/null', '/h/x', '', 'a\nb\n')
    const gone = createTwoFilesPatch('/h/y', '/dev/null', 'a\n', '')
    expect(changedFiles(made + gone).map(({ file, whole, lines }) => [file, whole, lines.length])).toEqual([
      ['/h/x', 'created', 2],
      ['/h/y', 'removed', 1]
    ])
  })

  test('folds the middle of a long block and names its entries; unfolded, it is complete', () => {
    const entries = Array.from({ length: 12 }, (_, i) => `    "Event${i}": [\n      {}\n    ],`).join('\n')
    const after = `{\n${entries}\n}\n`
    const [file] = changedFiles(patch('{\n}\n', after))
    const shown = folded(file?.lines ?? [])
    const fold = shown.find((one) => one?.kind === 'fold')
    expect(fold).toMatchObject({ names: expect.arrayContaining(['Event5']) })
    const whole = shown.flatMap((one): readonly (ChangeLine | null)[] => (one?.kind === 'fold' ? one.lines : [one]))
    expect(whole).toEqual(file?.lines)
    expect(folded([])).toEqual([])
  })
})
