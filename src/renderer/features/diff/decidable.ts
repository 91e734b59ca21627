/** How a file of a diff can be decided: change by change, as a whole, or not at all. Pure. */
import type { FileChange, FileDiff, TextHunk } from '../../../contract/diff.ts'

export interface Decidable {
  /** Change by change. */
  readonly single: boolean
  /** Of a run's diff, a file whose changes cannot be told apart. */
  readonly whole: boolean
  /** The restore that took all of it back. */
  readonly takenBack: string | null
  /** Why it cannot be taken back, null when it can. */
  readonly noUndo: string | null
}

/** `diff`: null while another file's is on screen. `hunks`: the changes on screen. `ofRun`: some run's or outside change's diff. */
export function decidableOf(
  file: FileChange,
  diff: FileDiff | null,
  hunks: readonly TextHunk[],
  ofRun: boolean
): Decidable {
  const single = hunks.length > 0
  const takenBack = diff?.takenBack ?? file.takenBack ?? null
  return {
    single,
    whole: ofRun && diff?.takenBack !== undefined && !single,
    takenBack,
    noUndo: takenBack
      ? 'It is taken back already'
      : file.notStored
        ? 'The earlier content of this file is not kept'
        : null
  }
}
