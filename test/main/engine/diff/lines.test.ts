/** The lines of two texts that are split together are those of each one split alone. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitBoth, splitLines } from '../../../../src/main/engine/diff/lines.ts'
import { scaled } from '../../../support/scale.ts'

/** Longer than texts that are split alone. Ends without a line feed. */
const TEXT = Array.from({ length: 40_000 }, (_, n) => `line ${n} of a long text, ${(n * 7919).toString(36)}`).join('\n')

const part = fc.constantFrom('', '\n', '\n\n', 'x', 'x\n', '\nx', 'line\nline', TEXT.slice(0, 100))
const edited = fc
  .array(fc.record({ at: fc.nat(TEXT.length), removed: fc.constantFrom(0, 1, 2, 50, 100_000), inserted: part }), {
    maxLength: 3
  })
  .map((edits) =>
    edits.reduce((text, { at, removed, inserted }) => text.slice(0, at) + inserted + text.slice(at + removed), TEXT)
  )
const end = fc.constantFrom('', '\n', '\n\n', 'end')
const texts = fc
  .tuple(edited, end, fc.constantFrom('', '\n', 'start'))
  .map(([text, after, before]) => before + text + after)

test('lines of long texts that have parts in common are split as those of each text alone', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const sides = [Buffer.from(before), Buffer.from(after)] as const
      const [old, now] = splitBoth(...sides)
      expect(old.starts.length + now.starts.length).toBeGreaterThan(2)
      expect(Buffer.from(now.starts.buffer).equals(Buffer.from(splitLines(sides[1]).starts.buffer))).toBe(true)
      expect([now.count, now.unit]).toEqual([now.starts.length - 1, 'byte'])
      expect(old.count).toBe(splitLines(sides[0]).count)
    }),
    { numRuns: scaled(15) }
  )
})
