/** Whether a file of a diff is reviewed hunk by hunk, as a whole, or not at all. Pure. */
import type { FileChange, FileDiff, TextHunk } from '../../../contract/diff.ts'

export interface ReviewScope {
  /** Each hunk can be kept or undone. */
  readonly byHunk: boolean
  /** A file of a run whose hunks cannot be undone one by one. */
  readonly asWhole: boolean
  /** Id of the restore that undid the whole file, null if none. */
  readonly undoneBy: string | null
  /** Why the file cannot be undone, null if it can. */
  readonly undoDisabled: string | null
}

/** `diff`: null while another file's diff is on screen. `hunks`: the hunks on screen. `ofRun`: the diff of a run or an outside change. */
export function reviewScopeOf(
  file: FileChange,
  diff: FileDiff | null,
  hunks: readonly TextHunk[],
  ofRun: boolean
): ReviewScope {
  const byHunk = hunks.length > 0
  const undoneBy = diff?.takenBack ?? file.takenBack ?? null
  return {
    byHunk,
    asWhole: ofRun && diff?.takenBack !== undefined && !byHunk,
    undoneBy,
    undoDisabled: undoneBy ? 'Already undone' : file.notStored ? 'The earlier content of this file is not stored' : null
  }
}
