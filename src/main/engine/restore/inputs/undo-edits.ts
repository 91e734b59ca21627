/** The input of undoing Edits: each of their paths returns to before them, with or without what others wrote since. */

import { mergeWithout } from '../../diff/provenance.ts'
import { findUndoScope } from '../../log/chain.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import { writerOf } from '../../store/writers.ts'
import type { ForeignCause } from '../plan.ts'
import type { RequestedPath } from './request-input.ts'
import { selectedHunks } from './selected-hunks.ts'
import { isSelected, type Selection } from './selection.ts'

export interface UndoEditsOptions {
  readonly selection: Selection
  /** Why later Edits of others are a conflict. */
  readonly cause: ForeignCause
  /** The Edits whose diff is shown and whose hunks are counted, if they are more than those that may be undone. */
  readonly shown?: readonly EditRow[]
}

/** [RS-10] [RS-13] Each path of `edits` returns to before the deepest of them that is in force. */
export function undoEdits(store: Store, edits: readonly EditRow[], options: UndoEditsOptions): RequestedPath[] {
  const { records } = store
  const seqs = new Set(edits.map((edit) => edit.seq))
  const paths: RequestedPath[] = []
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const head = records.headById(path)
    if (!isSelected(options.selection, head.path) || head.version === null) continue
    const scope = findUndoScope(head.edit, records, (edit) => seqs.has(edit.seq))
    if (scope.state === 'not-in-force') continue
    const { foreign, merged } = scope
    const isRestore = scope.deepest.origin === 'restore'
    const own = isRestore ? editsOfRestore(store, seqs, scope.deepest) : scope.own
    const deepest = own.at(-1) ?? scope.deepest
    const hunks = options.selection.hunks?.[head.path]
    const only = hunks ? selectedHunks(store, head, options.shown ?? edits, own, hunks) : undefined
    const mergeable = foreign.length > 0 || merged || only !== undefined
    paths.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(deepest.before),
      base: isRestore ? (records.editBefore(path, deepest.seq)?.seq ?? 0) : deepest.base,
      foreign: foreign.map((edit) => writerOf(store, edit)),
      foreignCause: options.cause,
      merge: mergeable ? mergeWithout(store, head, own, foreign, only) : null,
      own: own[0] ? records.version(own[0].after) : null,
      // The version before a restore was on disk, merges included. The version before an Edit below a merge still contains
      // what the merge removed, so it is no target.
      onlyByMerge: (merged && !isRestore) || only !== undefined
    })
  }
  return paths
}

/** Newest first. A restore that was interrupted and finished may have several consecutive Edits of a path. */
function editsOfRestore(store: Store, seqs: ReadonlySet<number>, edit: EditRow): EditRow[] {
  const before = store.records.editBefore(edit.path, edit.seq)
  return [edit, ...(before && seqs.has(before.seq) ? editsOfRestore(store, seqs, before) : [])]
}
