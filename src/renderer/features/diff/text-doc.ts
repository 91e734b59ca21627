/** What the text view shows: two sides with their labels. */
import type { TextHunk } from '../../../contract/diff.ts'

export interface TextDoc {
  /** Changes whenever the content does; the same key is never loaded twice. */
  readonly key: string
  readonly path: string
  readonly oldPath: string
  readonly before: string
  readonly after: string
  readonly beforeLabel: string
  readonly afterLabel: string
  /** `born` and `gone` show one side as plain text with an edge. */
  readonly shape: 'changed' | 'born' | 'gone'
  /** No highlighting: over 1 MB, or asked for. */
  readonly plain: boolean
  /** Changes that can be taken back one by one; empty where that is not offered. */
  readonly hunks: readonly TextHunk[]
}

/** Characters above which highlighting is off (UI.md C.7). */
export const PLAIN_ABOVE = 1_000_000

export interface TextOptions {
  readonly split: boolean
  readonly ignoreWhitespace: boolean
  readonly hideUnchanged: boolean
}

/** How a text is shown. */
export interface ShownText {
  /** The comparison ended at its time limit. */
  readonly stopped: boolean
  /** In two columns whatever was chosen: inline it would hold too many lines. */
  readonly crowded: boolean
}

/** Where the reader is among the changes; `at` is 1-based, 0 without changes. */
export interface ChangePlace {
  readonly at: number
  readonly of: number
}

export const DIFF_MS = 1000
