/** What a plan is made of for any act, with what its title and its record need. */

import type { FileVersion, Seq } from '../../../../contract/log.ts'
import type { Choices } from '../../../../contract/restore.ts'
import { ABSENT } from '../../store/fixed-versions.ts'
import type { Store } from '../../store/open-store.ts'
import type { PathFacts, PlanFacts } from '../plan.ts'
import type { Merge } from '../provenance.ts'

/** Facts of one path with the merge in full. */
export type MergeFacts = PathFacts & {
  readonly merge: Merge | null
  /** What the newest Edit that goes back left; null without one. */
  readonly own: FileVersion | null
}

export interface ActFacts extends PlanFacts {
  readonly paths: readonly MergeFacts[]
  /** For titles: what it goes back to. */
  readonly title: string
  readonly target: string
  readonly targetAt: number | null
  readonly toSeq: Seq | null
  /** The restore that this one takes back, if it does. */
  readonly undoes: string | null
  /** The cut off restore that this one finishes, if it does. */
  readonly finishes: string | null
  /** No selection of paths: all that the act names. */
  readonly whole: boolean
  readonly warnings: readonly string[]
}

type Given = 'paths' | 'title' | 'target' | 'targetAt' | 'whole'

/** What is the same for every act that says nothing else: the present state, and a conflict is kept. */
export function neutralFacts(store: Store, choices: Choices): Omit<ActFacts, Given> {
  const { records } = store
  const present = (path: string): FileVersion => {
    const head = records.head(path)
    return head?.version == null ? ABSENT : records.version(head.version)
  }
  return {
    nowOf: present,
    presentBelow: (folder) =>
      records
        .below(folder)
        .filter((row) => row.version !== null && records.version(row.version).kind !== 'absent')
        .map((row) => row.path),
    lastFolder: (path) => {
      const head = records.head(path)
      const gone = head
        ? records.editsOf(head.id).find((edit) => {
            const { kind, notStored } = records.version(edit.before)
            return kind === 'dir' && notStored === null
          })
        : undefined
      if (!head || !gone) return null
      return { version: records.version(gone.before), base: records.editBefore(head.id, gone.seq)?.seq ?? 0 }
    },
    choices,
    defaultChoice: 'keep',
    toSeq: null,
    undoes: null,
    finishes: null,
    warnings: []
  }
}
