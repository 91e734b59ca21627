/** Search results. No I/O. */
import type { Seq } from './log.ts'

export interface SearchHit {
  /** `note`: the label or note of a run. */
  readonly kind: 'prompt' | 'note' | 'message' | 'path' | 'change'
  /** The matching line, clipped. A line of a change starts with `+ ` or `- `. */
  readonly text: string
  readonly path: string | null
  readonly run: string | null
  readonly session: string | null
  /** Seq of the message in its session. */
  readonly message: number | null
  readonly seq: Seq | null
  readonly at: number | null
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** There are more hits than the limit. */
  readonly more: boolean
  /** Set if the time limit was reached: how many of the changes were searched, newest first. */
  readonly searched: { readonly changes: number; readonly of: number } | null
}
