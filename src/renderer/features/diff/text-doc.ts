/** The input and output of the text view: two texts with labels, its options, and the reader's position. */
import type { TextHunk } from '../../../contract/diff.ts'

export interface TextDoc {
  /** Identifies the content: a changed key loads the texts into the editor. */
  readonly key: string
  readonly path: string
  readonly oldPath: string
  readonly before: string
  readonly after: string
  readonly beforeLabel: string
  readonly afterLabel: string
  /** `added` and `deleted` show one side as text without comparison. */
  readonly shape: 'changed' | 'added' | 'deleted'
  /** Without syntax highlighting. */
  readonly plain: boolean
  /** Hunks that can be undone one by one; empty if that is not offered. */
  readonly hunks: readonly TextHunk[]
}

/** Number of characters above which syntax highlighting is off. */
export const PLAIN_ABOVE = 1_000_000

export interface TextOptions {
  readonly split: boolean
  readonly ignoreWhitespace: boolean
  readonly hideUnchanged: boolean
}

/** How a text is shown in the end. */
export interface ShownText {
  /** The comparison stopped at its time limit. */
  readonly stopped: boolean
  /** Shown in two columns whatever the options say: too many deleted lines for the inline view. */
  readonly tooLongForInline: boolean
}

/** The reader's position among the changes. `index` is 1-based; 0 if there are none. */
export interface ChangePosition {
  readonly index: number
  readonly total: number
}

/** Time limit of a comparison, ms. */
export const DIFF_MS = 1000
