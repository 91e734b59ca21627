import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitLines } from '../../../../src/main/engine/diff/lines.ts'
import { bytesOfPiece, bytesOfPieces, hunksOf, type Text, textOf } from '../../../../src/main/engine/diff/woven-text.ts'
import type { HunkRef } from '../../../../src/main/engine/log/changed-lines.ts'
import { type Weave, type WeaveHunk, weave } from '../../../../src/main/engine/log/weave.ts'

const split = (text: string) => splitLines(Buffer.from(text, 'latin1'))
const hunks = (before: string, after: string): WeaveHunk<Text>[] => hunksOf(split(before), split(after))
const textBefore = (text: string): Text => textOf(split(text))

/** The visible lines one by one. */
const linesOf = (woven: Weave<Text>) =>
  woven.pieces().flatMap(({ source, from, to, seq }) =>
    Array.from({ length: to - from }, (_, n) => ({
      text: bytesOfPiece({ source, from: from + n, to: from + n + 1 }).toString('latin1'),
      seq
    }))
  )

/** The text that is left; null where it would be a guess. */
function textWithout(woven: Weave<Text>, undone: readonly HunkRef[], foreign: ReadonlySet<number>): string | null {
  const rest = woven.without(undone, foreign)
  return rest && bytesOfPieces(rest).toString('latin1')
}

/** states[0] is the original, states[n] what Edit n left. */
function history(...states: string[]): Weave<Text> {
  return weave(
    textBefore(states[0] as string),
    states.slice(1).map((after, i) => ({ seq: i + 1, hunks: hunks(states[i] as string, after) }))
  )
}

const refs = (woven: Weave<Text>, ...seqs: number[]): HunkRef[] => seqs.flatMap((seq) => woven.hunksOf(seq))

describe('[RS-11] undoing edits of a file that others changed, too', () => {
  test('other writers’ lines stay, and lines the run deleted return', () => {
    const woven = history('a\nb\nc\nd\ne\nf\n', 'a\nB\nc\nd\ne\nf\n', 'a\nB\nc\nd\ne\nmine\nf\n')
    expect(textWithout(woven, refs(woven, 1), new Set([2]))).toBe('a\nb\nc\nd\ne\nmine\nf\n')
  })

  test('a line of equal text belongs to the writer who wrote it', () => {
    const woven = history('top\nmid\nend\n', 'top\nlog()\nmid\nend\n', 'top\nlog()\nmid\nlog()\nend\n')
    expect(textWithout(woven, refs(woven, 1), new Set([2]))).toBe('top\nmid\nlog()\nend\n')
  })

  test('an edit between two of the run’s own survives', () => {
    const woven = history(
      '1\n2\n3\n4\n5\n6\n7\n',
      'one\n2\n3\n4\n5\n6\n7\n',
      'one\n2\n3\nmine\n4\n5\n6\n7\n',
      'one\n2\n3\nmine\n4\n5\n6\nseven\n'
    )
    expect(textWithout(woven, refs(woven, 1, 3), new Set([2]))).toBe('1\n2\n3\nmine\n4\n5\n6\n7\n')
  })

  test('a foreign change of the run’s own lines is a conflict', () => {
    const woven = history('a\nb\nc\n', 'a\nrun\nc\n', 'a\nrun, edited\nc\n')
    expect(woven.without(refs(woven, 1), new Set([2]))).toBeNull()
  })

  test('a foreign insertion right beside the run’s lines is a conflict', () => {
    const woven = history('a\nb\nc\n', 'a\nrun\nb\nc\n', 'a\nrun\nmine\nb\nc\n')
    expect(woven.without(refs(woven, 1), new Set([2]))).toBeNull()
  })

  test('line endings and a missing final newline come out byte for byte, or not at all', () => {
    const crlf = history('a\r\nb\r\nc\r\nd', 'a\r\nB\r\nc\r\nd', 'a\r\nB\r\nc\r\nd, mine')
    expect(textWithout(crlf, refs(crlf, 1), new Set([2]))).toBe('a\r\nb\r\nc\r\nd, mine')
    const joined = history('a', 'a\nb\nc', 'top\na\nb\nc')
    expect(textWithout(joined, refs(joined, 1), new Set([2]))).toBeNull()
  })
})

test('[RS-10] the weave without undone hunks is the file, and each line names the edit that wrote it', () => {
  const woven = history('a\nb\n', 'a\nx\nb\n', 'a\nx\ny\n')
  expect(linesOf(woven)).toEqual([
    { text: 'a\n', seq: 0 },
    { text: 'x\n', seq: 1 },
    { text: 'y\n', seq: 2 }
  ])
})

test('omitted hunks stay omitted when the file changes again', () => {
  const merged = 'a\nb\nc\nd\ne\nmine\n'
  const later = 'a\nb\nc\nd\ne\nmine\nlater\n'
  const woven = weave(textBefore('a\nb\nc\nd\ne\n'), [
    { seq: 1, hunks: hunks('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n') },
    { seq: 2, hunks: hunks('A\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\nmine\n') },
    { omit: [{ seq: 1, hunk: 0 }] },
    { seq: 4, hunks: hunks(merged, later) }
  ])
  expect(bytesOfPieces(woven.pieces()).toString('latin1')).toBe(later)
})

const file = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', '}\n', 'x\r\n'), { maxLength: 12 })
  .map((lines) => lines.join(''))

test('[RS-11] any history: the weave is the newest state, without the newest edit it is the state before it, without all edits the first', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 2, maxLength: 6 }), (states) => {
      const woven = history(...states)
      expect(bytesOfPieces(woven.pieces()).toString('latin1')).toBe(states.at(-1))
      const newest = states.length - 1
      expect(textWithout(woven, refs(woven, newest), new Set())).toBe(states.at(-2))
      const all = states.slice(1).map((_, i) => i + 1)
      expect(textWithout(woven, refs(woven, ...all), new Set())).toBe(states[0])
    }),
    { numRuns: 500 }
  )
})

test('[RS-11] any clean merge keeps every line of others and removes only the run’s', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 3, maxLength: 6 }), fc.nat(), (states, pick) => {
      const woven = history(...states)
      const seqs = states.slice(1).map((_, i) => i + 1)
      const mine = seqs.filter((seq) => ((pick >> seq) & 1) === 1)
      const first = Math.min(...mine)
      const foreign = new Set(seqs.filter((seq) => seq > first && !mine.includes(seq)))
      const rest = textWithout(woven, refs(woven, ...mine), foreign)?.split(/(?<=\n)/) ?? null
      if (rest === null || mine.length === 0) return
      const count = (lines: readonly string[], text: string): number => lines.filter((line) => line === text).length
      const othersLines = linesOf(woven).filter((line) => !mine.includes(line.seq))
      for (const text of new Set(othersLines.map((line) => line.text))) {
        expect(count(rest, text)).toBeGreaterThanOrEqual(othersLines.filter((line) => line.text === text).length)
      }
    }),
    { numRuns: 500 }
  )
})
