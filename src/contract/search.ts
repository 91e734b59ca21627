/** What a search finds, as types. No I/O. */
import type { Seq } from './log.ts'

export interface Hit {
  readonly kind: 'prompt' | 'message' | 'path' | 'change'
  /** The line it was found in, clipped; of a change with `+ ` or `- ` before it. */
  readonly text: string
  readonly path: string | null
  readonly run: string | null
  readonly session: string | null
  /** Seq of the message in its session. */
  readonly message: number | null
  readonly seq: Seq | null
  readonly at: number | null
}

export interface Search {
  readonly hits: readonly Hit[]
  /** There are more than were asked for. */
  readonly more: boolean
  /** A sentence when not everything was looked at, else "". */
  readonly note: string
}
