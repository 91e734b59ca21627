/** Hunks undone in parts, line by line, in the weave. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangedLines, type HunkRef, type LineRef, partsOf } from '../../../../src/main/engine/log/changed-lines.ts'
import type { Piece } from '../../../../src/main/engine/log/spans.ts'
import { weave } from '../../../../src/main/engine/log/weave.ts'

test('parts of a hunk that touch are one range, and together they are the whole hunk', () => {
  const lines = (...numbers: number[]): HunkRef[] => partsOf(numbers.map((line) => ({ seq: 1, hunk: 0, line })))
  const ranges: [number, number][] = [
    [1, 4],
    [7, 8]
  ]
  expect(lines(3, 1, 2, 7)).toEqual([{ seq: 1, hunk: 0, lines: ranges }])
  const set = new ChangedLines([...lines(0, 2), ...lines(1)])
  expect(set.hasAll({ seq: 1, hunk: 0 }, 3)).toBe(true)
  expect(set.hasAll({ seq: 1, hunk: 0 }, 4)).toBe(false)
  expect(set.hasAll({ seq: 1, hunk: 1 }, 1)).toBe(false)
  set.add({ seq: 1, hunk: 0 })
  expect(set.refs()).toEqual([{ seq: 1, hunk: 0 }])
})

interface Source {
  readonly lines: readonly string[]
  readonly count: number
  readonly endsOpen: boolean
}

const source = (lines: readonly string[]): Source => ({ lines, count: lines.length, endsOpen: false })

const linesOf = (pieces: readonly Piece<Source>[] | null) =>
  pieces?.flatMap(({ source, from, to }) => source.lines.slice(from, to))

const text = fc.array(fc.constantFrom('a\n', 'b\n', '}\n', '\n', 'e\r\n'), { maxLength: 8 })

test('[RS-21] all lines of a hunk are the hunk, at once or in two selections, whatever the order', () => {
  fc.assert(
    fc.property(text, text, text, fc.infiniteStream(fc.boolean()), (kept, deleted, inserted, choice) => {
      fc.pre(deleted.length + inserted.length > 0)
      const original = source([...kept, ...deleted, 'end\n'])
      const insert = { source: source(inserted), from: 0, to: inserted.length }
      const edit = { seq: 1, hunks: [{ from: kept.length, to: kept.length + deleted.length, insert }] }
      const woven = weave(original, [edit])
      const change = woven.netChange(new Set([1]))
      const lines: LineRef[] = [
        ...change.deletedAt(0, original.count).flat(),
        ...change.insertedAt(0, kept.length + inserted.length + 1).filter((ref) => ref !== null)
      ]
      expect(lines).toHaveLength(deleted.length + inserted.length)
      const some = lines.filter(() => choice.next().value)
      const rest = lines.filter((line) => !some.includes(line))
      const none = new Set<number>()
      for (const [first, second] of [
        [some, rest],
        [rest, some],
        [[], lines]
      ] as const) {
        const later = weave(original, [edit, { omit: partsOf(first) }])
        expect(linesOf(later.without(partsOf(second), none))).toEqual(original.lines)
        expect(later.isOutWith(partsOf(second))({ seq: 1, hunk: 0 })).toBe(true)
      }
      // What is not selected stays.
      const partly = linesOf(woven.without(partsOf(some), none))
      expect(partly).toHaveLength(
        kept.length + 1 + partSize(deleted.length, some, true) + partSize(deleted.length, rest, false)
      )
    })
  )
})

/** The number of lines of a part that are deleted ones, or inserted ones. */
function partSize(deleted: number, part: readonly LineRef[], isDeleted: boolean): number {
  return part.filter(({ line }) => line < deleted === isDeleted).length
}
