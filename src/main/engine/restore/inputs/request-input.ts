/** The input of a plan, read from the log: for every kind of request which paths it touches and what each returns to. */

import type { FileVersion, Seq } from '../../../../contract/log.ts'
import type { PlanWarning, Resolutions } from '../../../../contract/restore.ts'
import type { Merge } from '../../diff/provenance.ts'
import { ABSENT } from '../../store/fixed-versions.ts'
import type { Store } from '../../store/open-store.ts'
import type { PathInput, PlanInput } from '../plan.ts'

export type RequestedPath = PathInput & {
  /** With its bytes and the hunks it omits, for the journal. */
  readonly merge: Merge | null
  /** The version after the newest Edit that is undone; null when there is none. For the preview's sides. */
  readonly own: FileVersion | null
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

type Required = 'paths' | 'title' | 'target' | 'targetAt' | 'whole'

/** The part of the input that most kinds of requests share: access to the recorded tree, and `keep` for conflicts. */
export function defaultInput(store: Store, resolutions: Resolutions): Omit<RequestInput, Required> {
  const { records } = store
  return {
    nowOf: (path) => {
      const head = records.head(path)
      return head?.version == null ? ABSENT : records.version(head.version)
    },
    presentBelow: (folder) =>
      records
        .below(folder)
        .filter((row) => row.version !== null && records.version(row.version).kind !== 'absent')
        .map((row) => row.path),
    lastFolder: (path) => {
      const head = records.head(path)
      // Newest first: the Edit that ended the path's last time as a folder.
      const end = head
        ? records.editsOf(head.id).find((edit) => {
            const { kind, notStored } = records.version(edit.before)
            return kind === 'dir' && notStored === null
          })
        : undefined
      if (!head || !end) return null
      return { version: records.version(end.before), base: records.editBefore(head.id, end.seq)?.seq ?? 0 }
    },
    resolutions,
    defaultResolution: 'keep',
    toSeq: null,
    undoes: null,
    finishes: null,
    warnings: []
  }
}
