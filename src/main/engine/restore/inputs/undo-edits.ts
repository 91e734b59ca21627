/** The input of undoing Edits: each of their paths returns to before them, with or without what others wrote since. */
import { DriftlineError } from '../../../../contract/errors.ts'
import { hunkRefsOfDiff, mergeWithout } from '../../diff/provenance.ts'
import { isWithin } from '../../files/paths.ts'
import { findUndoScope } from '../../log/chain.ts'
import type { HunkRef } from '../../log/weave.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { Head } from '../../store/paths.ts'
import { writerOf } from '../../store/writers.ts'
import type { ForeignCause } from '../plan.ts'
import type { RequestedPath } from './request-input.ts'

/** The part of a request that a person selected: some paths, some hunks of some paths, or everything. */
export interface Selection {
  /** A folder selects everything below it. */
  readonly paths?: readonly string[]
  /** Hunk numbers by path. Without `paths` the keys are the selected paths. */
  readonly hunks?: Readonly<Record<string, readonly number[]>>
}

export function isSelected({ paths, hunks }: Selection, path: string): boolean {
  const selected = paths ?? (hunks && Object.keys(hunks))
  return selected === undefined || selected.some((folder) => isWithin(path, folder))
}

/**
 * [RS-10] [RS-13] Each path of `edits` returns to before the deepest of them that is in force. `foreignCause`: why
 * later Edits of others are a conflict. `shown`: the Edits whose diff is shown and whose hunks are counted, if they are
 * more than those that may be undone.
 */
export function undoEdits(
  store: Store,
  edits: readonly EditRow[],
  selection: Selection,
  foreignCause: ForeignCause,
  shown = edits
): RequestedPath[] {
  const { records } = store
  const seqs = new Set(edits.map((edit) => edit.seq))
  const paths: RequestedPath[] = []
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const head = records.headById(path)
    if (!isSelected(selection, head.path) || head.version === null) continue
    const scope = findUndoScope(head.edit, records, (edit) => seqs.has(edit.seq))
    if (scope.state === 'not-in-force') continue
    const { foreign, merged } = scope
    const isRestore = scope.deepest.origin === 'restore'
    const own = isRestore ? editsOfRestore(store, seqs, scope.deepest) : scope.own
    const deepest = own.at(-1) ?? scope.deepest
    const hunks = selection.hunks?.[head.path]
    const only = hunks && selectedHunks(store, head, shown, own, hunks)
    const mergeable = foreign.length > 0 || merged || only !== undefined
    paths.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(deepest.before),
      base: isRestore ? (records.editBefore(path, deepest.seq)?.seq ?? 0) : deepest.base,
      foreign: foreign.map((edit) => writerOf(store, edit)),
      foreignCause,
      merge: mergeable ? mergeWithout(store, head, own, foreign, only) : null,
      own: own[0] ? records.version(own[0].after) : null,
      // The version before a restore was on disk, merges included. The version before an Edit below a merge still
      // contains what the merge removed, so it is no target.
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

/**
 * The hunks of `own`, the Edits to undo, that make up the hunks `numbers` (1-based) of the diff of `shown`. Throws
 * UnknownTarget for a number that the diff does not have.
 */
function selectedHunks(
  store: Store,
  head: Head,
  shown: readonly EditRow[],
  own: readonly EditRow[],
  numbers: readonly number[]
): HunkRef[] {
  const newestFirst = shown.filter((edit) => edit.path === head.id).sort((a, b) => b.seq - a.seq)
  const hunks = hunkRefsOfDiff(store, head, newestFirst)
  const seqs = new Set(own.map((edit) => edit.seq))
  return numbers.flatMap((n) => {
    const refs = hunks?.[n - 1]
    if (!refs)
      throw new DriftlineError(
        'UnknownTarget',
        `${head.path} has no change ${n} that can be undone separately. "driftline diff" lists its changes; the whole file can be undone.`,
        { path: head.path, hunk: n }
      )
    return refs.filter((ref) => seqs.has(ref.seq))
  })
}
