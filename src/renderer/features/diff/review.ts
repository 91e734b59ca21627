/**
 * Review of hunks: which are kept, which are undone, and which is next. Pure. What was undone on disk takes precedence
 * over what was kept here.
 */
import type { FileChange, FileDiff, TextHunk } from '../../../contract/diff.ts'

export type Decision = 'kept' | 'undone'

/** Identifies a hunk by its lines. A hunk that a live run moves gets a new key and has to be reviewed again. */
export function hunkKey({ oldFrom, oldTo, newFrom, newTo }: TextHunk): string {
  return [oldFrom, oldTo, newFrom, newTo].join(',')
}

/** Decisions by hunk number. What was undone on disk takes precedence over what was kept here. */
export function decisionsOf(hunks: readonly TextHunk[], kept: ReadonlySet<string>): ReadonlyMap<number, Decision> {
  const decisions = new Map<number, Decision>()
  for (const hunk of hunks) {
    if (hunk.undoneBy !== null) decisions.set(hunk.n, 'undone')
    else if (kept.has(hunkKey(hunk))) decisions.set(hunk.n, 'kept')
  }
  return decisions
}

/** The next undecided hunk: first after number `after`, then from the top; null if all are decided. */
export function nextUndecided(
  hunks: readonly TextHunk[],
  decisions: ReadonlyMap<number, Decision>,
  after: number
): TextHunk | null {
  const open = hunks.filter(({ n }) => !decisions.has(n))
  return open.find(({ n }) => n > after) ?? open[0] ?? null
}

/** Why a single change cannot be decided on. */
export const ONLY_BY_FILE = 'Single changes can be kept or undone only in a run’s text files'

export type ReviewScope = ReturnType<typeof reviewScopeOf>

/**
 * Whether a file of a diff is reviewed hunk by hunk, as a whole, or not at all. `diff`: null while another file's diff
 * is on screen. `hunks`: the hunks on screen. `ofRun`: the diff of a run or an outside change. `offline`: why nothing can
 * be undone now, null if it can.
 */
export function reviewScopeOf(
  file: FileChange,
  diff: FileDiff | null,
  hunks: readonly TextHunk[],
  ofRun: boolean,
  offline: string | null
) {
  const byHunk = hunks.length > 0
  const undoneBy = diff?.undoneBy ?? file.undoneBy ?? null
  return {
    /** Each hunk can be kept or undone. */
    byHunk,
    /** A file of a run whose hunks cannot be undone one by one. */
    asWhole: ofRun && diff?.undoneBy !== undefined && !byHunk,
    /** Id of the restore that undid the whole file, null if none. */
    undoneBy,
    /** Why the file cannot be undone, null if it can. */
    undoDisabled: undoneBy
      ? 'Already undone'
      : file.notStored
        ? 'The earlier content of this file is not stored'
        : offline
  }
}
