/** Deciding about changes one by one: which are kept, which are taken back, and where the reader goes next. Pure. */
import type { TextHunk } from '../../../contract/diff.ts'

/** What a person has decided about the files of one diff. */
export interface Review {
  readonly viewed: ReadonlySet<string>
  /** Keys of the changes of a file that are kept. */
  kept(path: string): ReadonlySet<string>
  setViewed(path: string, on: boolean): void
  /** A change that is not kept any more makes its file one to look at again. */
  setKept(path: string, key: string, on: boolean): void
  startOver(): void
}

export type Mark = 'kept' | 'taken-back'

/** Names a change for as long as it stays where it is: a live run moves them, and then they are to be read again. */
export function changeKey({ oldFrom, oldTo, newFrom, newTo }: TextHunk): string {
  return [oldFrom, oldTo, newFrom, newTo].join(',')
}

/** By number of the change; those without a mark wait for a decision. */
export function marksOf(hunks: readonly TextHunk[], kept: ReadonlySet<string>): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>()
  for (const hunk of hunks) {
    if (hunk.takenBack !== null) marks.set(hunk.n, 'taken-back')
    else if (kept.has(changeKey(hunk))) marks.set(hunk.n, 'kept')
  }
  return marks
}

/** The next change without a mark: first below number `after`, then from the top. Null when all are decided. */
export function nextOpen(hunks: readonly TextHunk[], marks: ReadonlyMap<number, Mark>, after: number): TextHunk | null {
  const open = hunks.filter(({ n }) => !marks.has(n))
  return open.find(({ n }) => n > after) ?? open[0] ?? null
}
