/** Which change of a run a line belongs to. Pure. */
import type { TextHunk } from '../../../contract/diff.ts'

/** The change that holds a line (1-based) of the later text, else the nearest one; null when there is none. */
export function hunkAt(hunks: readonly TextHunk[], line: number): TextHunk | null {
  let best: TextHunk | null = null
  let least = Number.POSITIVE_INFINITY
  for (const hunk of hunks) {
    // A deletion has no line of its own; the one above it stands for it.
    const first = hunk.newTo > hunk.newFrom ? hunk.newFrom + 1 : hunk.newFrom
    const away = line < first ? first - line : Math.max(0, line - Math.max(hunk.newTo, first))
    if (away < least) {
      least = away
      best = hunk
    }
  }
  return best
}

/** Changes whose lines are the lines an editor shows: it also ends a line at a lone carriage return. */
export function placeable(hunks: readonly TextHunk[], before: string, after: string): readonly TextHunk[] {
  return /\r(?!\n)/.test(before) || /\r(?!\n)/.test(after) ? [] : hunks
}
