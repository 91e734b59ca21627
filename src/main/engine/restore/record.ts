/**
 * A restore in the store after its last write: its edits, its result and what follows from them. The journal is in
 * guard.ts.
 */
import type { ItemResult, RestoreState } from '../../../contract/restore.ts'
import { markRestored } from '../checkpoints/checkpoints.ts'
import { parentOf } from '../files/paths.ts'
import { type Signature, withoutListing } from '../files/signature.ts'
import { unmarkRestoredPast } from '../store/checkpoints.ts'
import { pathsOfRestore } from '../store/edits.ts'
import { bumpRev } from '../store/meta.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { findRestoreConversation } from '../store/restore-conversations.ts'
import { findRestoreGit, markGitWritten } from '../store/restore-git.ts'
import {
  itemNumbers,
  markWritten,
  movesWithHistory,
  type RestoreItemRow,
  setItemResults
} from '../store/restore-items.ts'
import { mergedPaths } from '../store/restore-omissions.ts'
import {
  closeRestore,
  findRestore,
  markSuperseded,
  type RestoreRow,
  setUndoneBy,
  unfinishedRestores
} from '../store/restores.ts'
import type { Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'
import type { AppliedItem, ApplyItem } from './apply-state.ts'
import { applyConversationMove } from './conversation.ts'
import { updateDrifts } from './drift-marks.ts'
import type { GitResult } from './git-part.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { refreshUndone } from './undone-runs.ts'

/** A restore whose files were written. */
interface WrittenRestore {
  readonly id: string
  readonly at: number
  readonly input: RequestInput
  /** By their numbers. */
  readonly items: readonly ApplyItem[]
  readonly applied: readonly AppliedItem[]
  readonly git: GitResult
  /** The interrupted restores that it recovers. */
  readonly recovered: readonly string[]
}

/** Appends edits for the items that were verified on disk, and ends the restore and those it recovered. */
export function recordRestore(
  tx: Writable<Store>,
  { id, at, input, items, applied, git, recovered }: WrittenRestore
): RestoreState {
  const numbers = input.finishes === null ? null : itemNumbers(tx, input.finishes)
  const headOf = tx.records.headsInOrder(applied.map(({ path }) => path))
  const appendEdit = restoreEdits(tx, input.finishes ?? id, headOf)
  for (const item of applied) {
    const { n, result, path } = item
    if (result !== 'done') continue
    const { after, base } = items[n] as ApplyItem
    appendEdit({ path, after: after.id, base }, item, at)
    const finished = numbers?.get(path)
    if (input.finishes !== null && finished !== undefined) markWritten(tx, input.finishes, finished)
  }
  linkMoves(tx, input.finishes ?? id)
  const failedGit = git.outcomes.length - git.written.length
  const done = applied.filter(({ result }) => result === 'done').length + git.written.length
  const failures = applied.filter(({ result }) => result === 'failed').length + failedGit
  // Also of a restore that is finished without an item of git: its undo reverts only what was written.
  if (git.outcomes.length > 0 || input.finishes) markGitWritten(tx, id, input.finishes, git.written)
  const state: RestoreState = failures === 0 ? 'done' : done > 0 ? 'partial' : 'failed'
  const moved = state !== 'failed' && applyConversationMove(tx, id, input.finishes)
  // The interrupted restore ends before its recovery: the timeline lists them in this order.
  endRecovered(tx, recovered, input, state)
  endRestore(tx, id, state, applied)
  // Objects that are kept nowhere keep no earlier restore from being undone.
  const isFinal = failures > 0 && failures === git.gone
  if (done > 0 || moved) updateMarks(tx, id, isFinal ? 'done' : state)
  else if (isFinal && input.undoes !== null) supersede(tx, input.undoes)
  bumpRev(tx)
  return state
}

/**
 * Ends interrupted restores after their recovery: what they wrote is in the log. A restore that was finished counts as
 * if it had never been interrupted.
 */
export function endRecovered(
  tx: Writable<Store>,
  recovered: readonly string[],
  { finishes, undoes }: RequestInput,
  outcome: RestoreState
): void {
  // Another process may have ended some of them in the meantime.
  const unfinished = unfinishedRestores(tx).filter((row) => recovered.includes(row.id))
  for (const row of unfinished.reverse()) {
    const { id } = row
    const complete = id === finishes || (undoes !== null && row.undoes === undoes)
    const state = complete && outcome === 'done' ? 'done' : 'partial'
    endRestore(tx, id, state, [])
    updateMarks(tx, id, state)
  }
  if (unfinished.length > 0) bumpRev(tx)
}

/** Stores the final state and the results of the items, in the transaction that appends the restore's edits. */
export function endRestore(
  tx: Writable<Store>,
  id: string,
  state: RestoreState,
  results: readonly { n: number; result: ItemResult }[]
): void {
  setItemResults(tx, id, results)
  closeRestore(tx, id, state)
  if (state !== 'refused') addEntry(tx, 'restore', id)
}

/**
 * Takes a restore off the undo stack without an undo: none of its edits is in force, because later restores replaced it
 * or its content was evicted, and the next undo has to reach the restore before it.
 */
export function supersede(tx: Writable<Store>, id: string): void {
  markSuperseded(tx, id)
  unmarkRestoredPast(tx, id)
  bumpRev(tx)
}

/** What a restore changes besides files: the undo stack, and the marks of runs, checkpoints and outside changes. */
function updateMarks(tx: Writable<Store>, id: string, state: RestoreState): void {
  const row = findRestore(tx, id) as RestoreRow
  const touched = pathsOfRestore(tx, id)
  const undone = row.undoes ? findRestore(tx, row.undoes) : null
  if (undone) updateUndoStack(tx, row, undone, state, touched.length > 0)
  refreshUndone(tx, id)
  const again = row.act === 'redo' && undone?.undoes ? findRestore(tx, undone.undoes) : row
  const moved = findRestoreConversation(tx, id)?.state === 'done' || wroteGit(tx, id)
  if ((touched.length > 0 || moved) && again?.act === 'restore' && again.whole === 1) markRestored(tx, again)
  updateDrifts(tx, row, state, touched)
}

function updateUndoStack(
  tx: Writable<Store>,
  row: RestoreRow,
  undone: RestoreRow,
  state: RestoreState,
  wrote: boolean
): void {
  // A partial undo stays on top of the stack: the next undo or redo continues with the rest.
  if (state === 'done') setUndoneBy(tx, undone.id, row.id)
  if (row.act !== 'redo' && state === 'done') unmarkRestoredPast(tx, undone.id)
  const moved = findRestoreConversation(tx, row.id)?.state === 'done' || wroteGit(tx, row.id)
  if (row.act === 'redo' && undone.undoes && (wrote || moved)) setUndoneBy(tx, undone.undoes, null)
}

function wroteGit(store: Store, id: string): boolean {
  const row = findRestoreGit(store, id)
  return row?.state === 'done' && row.work.length > 0
}

/**
 * Appends edits of a restore (see `log/chain.ts`) and sets the heads to what is on disk (DR-3). `base`: the edit the
 * path returns to; ignored for a merge. `written`: what is there now. `headOf`: of the paths, each of which is written once.
 */
export function restoreEdits(
  tx: Writable<Store>,
  restore: string,
  headOf: (path: string) => Head | null = tx.records.head
) {
  const { records } = tx
  const merged = mergedPaths(tx, restore)
  // What a bundle brought is new, as if others had written it here: it returns to nothing.
  const isNew = findRestore(tx, restore)?.act === 'apply'
  return (
    { path, after, base }: Pick<RestoreItemRow, 'path' | 'after' | 'base'>,
    { signature, statAt }: Pick<AppliedItem, 'signature' | 'statAt'>,
    at: number
  ): void => {
    const head = headOf(path) ?? records.headById(records.addPath(path, records.head(parentOf(path))?.id ?? ROOT_ID))
    // A merge builds on the edit before it; the journal has the hunks it omits.
    const merge = merged.has(path)
    const seq = records.addEdit({
      path: head.id,
      before: head.version ?? records.absent,
      after,
      origin: isNew ? 'outside' : 'restore',
      attribution: 'none',
      base: merge || isNew ? head.edit : base,
      merge,
      at,
      restore,
      drift: null
    })
    const isFolder = signature?.kind === 'dir'
    const wasFolder = head.signature?.kind === 'dir'
    if (isFolder) records.setHead(head.id, after, seq, folderSignature(head, signature), head.statAt)
    else records.setHead(head.id, after, seq, signature, statAt)
    if (isFolder && !wasFolder) records.setCovered(head.id, true)
    if (!isFolder && wasFolder) records.setCovered(head.id, false)
  }
}

/** [LG-7] Of a moved file whose both names are written: it takes its history along. */
export function linkMoves(tx: Writable<Store>, restore: string): void {
  for (const { arrival, departure } of movesWithHistory(tx, restore)) tx.records.setMovedFrom(arrival, departure)
}

/**
 * Keeps a folder's recorded times, so that the next scan lists it: its content may have changed outside the restore.
 */
function folderSignature({ signature: known }: Head, written: Signature): Signature {
  return known?.kind === 'dir' ? { ...known, mode: written.mode } : withoutListing(written)
}
