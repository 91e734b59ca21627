/**
 * The input of a plan, read from the log: for every kind of request which paths it touches and what each returns to.
 */
import type { FileVersion, Seq } from '../../../../contract/log.ts'
import type { PlanWarning, RestoreRequest } from '../../../../contract/restore.ts'
import type { Merge } from '../../diff/provenance.ts'
import type { PathInput, PlanInput } from '../plan-items.ts'

export type RequestedPath = PathInput & {
  /** With its bytes and the hunks it omits, for the journal. */
  readonly merge: Merge | null
  /** The version after the newest edit that is undone; null when there is none. For the preview's sides. */
  readonly own: FileVersion | null
  /** Of a bundle that is applied. */
  readonly sent?: SentChange
}

/** What a bundle's run changed, with contents that are in the bundle's history. */
interface SentChange {
  readonly before: FileVersion
  readonly after: FileVersion
  /** Null for what is no file, or is not in the bundle. */
  read(side: 'before' | 'after'): Buffer | null
}

export interface RequestInput extends PlanInput {
  readonly paths: readonly RequestedPath[]
  /** A phrase for titles: what the files are restored to. */
  readonly title: string
  /** What the request names: a run, an outside change, a restore or a target as the user wrote it. */
  readonly target: string
  readonly targetAt: number | null
  /** The position of a restore; null for an undo, which has none. */
  readonly toSeq: Seq | null
  /** The restore that this one undoes. */
  readonly undoes: string | null
  /** The interrupted restore that this one finishes. */
  readonly finishes: string | null
  /** The request selects no paths or hunks. */
  readonly whole: boolean
  readonly warnings: readonly PlanWarning[]
}

/** What most kinds have in common. */
export const DEFAULTS = { defaultResolution: 'keep', toSeq: null, undoes: null, finishes: null, warnings: [] } as const

/** What a kind of request decides by itself. */
export type KindInput = Pick<RequestInput, 'paths' | 'title' | 'target' | 'targetAt'> &
  Partial<Pick<RequestInput, keyof typeof DEFAULTS>>

/** A request of one kind. */
export type RequestOf<K extends RestoreRequest['kind']> = RestoreRequest & { readonly kind: K }
