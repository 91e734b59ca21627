/** A restore in the store: its guard and journal before the first write, its Edits and their consequences after the last. */
import type { ItemResult, RestoreRequest, RestoreState } from '../../../contract/restore.ts'
import { addCheckpoint, markRestored, unmarkRestored } from '../checkpoints/checkpoints.ts'
import { editsOfTarget, findUndoOfFile } from '../diff/file-review.ts'
import type { Merge } from '../diff/provenance.ts'
import { closeDrift } from '../drift/drifts.ts'
import { type Signature, withoutListing } from '../files/signature.ts'
import { ownProcess } from '../ports/processes.ts'
import { pathsOfRestore } from '../store/edits.ts'
import { newId } from '../store/ids.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import type { Head, PathId } from '../store/paths.ts'
import { insertRestoreItems, markWritten, setItemResults } from '../store/restore-items.ts'
import { insertOmissions, isMerged } from '../store/restore-omissions.ts'
import {
  closeRestore,
  findRestore,
  insertRestore,
  markSuperseded,
  type RestoreRow,
  setUndoneBy,
  unfinishedRestores
} from '../store/restores.ts'
import type { Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import type { AppliedItem, ApplyItem } from './apply-state.ts'
import { applyConversationMove, hasMovedConversation, journalConversation, type ModePlan } from './conversation.ts'
import type { RequestInput } from './inputs/request-input.ts'
import type { Planned, PlannedItem } from './plan.ts'
import { refreshUndone } from './refresh-undone.ts'
import type { RestoreContext } from './restore-context.ts'

/** Writes guard, restore, items and what merges omit. Durable when the transaction commits (RS-3). */
export function writeJournal(
  tx: Writable<Store>,
  { root, now }: Pick<RestoreContext, 'root' | 'now'>,
  input: RequestInput,
  request: RestoreRequest,
  plan: string,
  modes: ModePlan,
  work: readonly PlannedItem[]
): { id: string; items: ApplyItem[] } {
  const { records } = tx
  const at = now()
  const guard = addCheckpoint(tx, root, { reason: 'pre_restore_guard', session: modes.to?.session ?? null }, at)
  const rows = work.map((item) => {
    const head = records.head(item.path)
    const before = head?.version ?? records.absent
    return { item, head, before, after: storeTargetVersion(tx, item, input, head) }
  })
  const id = newId('rst')
  insertRestore(
    tx,
    {
      id,
      act: request.kind,
      title: input.title,
      mode: modes.mode,
      to_seq: input.toSeq,
      guard: guard.id,
      undoes: input.undoes,
      finishes: input.finishes,
      target: input.target,
      whole: input.whole ? 1 : 0,
      at,
      plan
    },
    ownProcess()
  )
  insertRestoreItems(
    tx,
    id,
    rows.map(({ item, before, after }) => ({ path: item.path, action: item.action, before, after, base: item.base }))
  )
  journalConversation(tx, id, modes)
  for (const { item } of rows) insertOmissions(tx, id, item.path, mergeOf(input, item)?.omits ?? [])
  bumpRev(tx)
  const items = rows.map(
    ({ item, head, before, after }, n): ApplyItem => ({
      n,
      path: item.path,
      action: item.action as ApplyItem['action'],
      before: records.version(before),
      after: records.version(after),
      expected: head?.signature ?? null
    })
  )
  return { id, items }
}

function mergeOf(input: RequestInput, item: PlannedItem): Merge | null {
  return item.merged ? (input.paths.find((path) => path.path === item.path)?.merge ?? null) : null
}

/** The id of the version to write: a recorded one, the result of a merge, which is stored here, or a folder that was never recorded. */
function storeTargetVersion(
  { records, content }: Writable<Store>,
  item: PlannedItem,
  input: RequestInput,
  head: Head | null
): VersionId {
  if ('id' in item.after) return (item.after as StoredVersion).id
  const merge = mergeOf(input, item)
  if (!merge) return records.addVersion(item.after, null)
  const previous = head?.version == null ? null : records.version(head.version).content
  return records.addVersion(
    merge.version,
    content.put(merge.bytes, Buffer.from(merge.version.hash as string, 'hex'), previous)
  )
}

/** Appends Edits for the items that were verified on disk, and ends the restore and those it recovered. */
export function recordRestore(
  tx: Writable<Store>,
  at: number,
  id: string,
  input: RequestInput,
  planned: Planned,
  items: readonly ApplyItem[],
  applied: readonly AppliedItem[],
  recovered: readonly string[]
): RestoreState {
  const bases = new Map(planned.items.map((item) => [item.path, item.base]))
  for (const { n, result, path, signature } of applied) {
    if (result !== 'done') continue
    const after = ((items[n] as ApplyItem).after as StoredVersion).id
    const restore = input.finishes ?? id
    appendRestoreEdit(tx, { restore, path, after, base: bases.get(path) ?? 0, signature, at })
    if (input.finishes) markWritten(tx, input.finishes, path)
  }
  const done = applied.filter(({ result }) => result === 'done').length
  const failures = applied.filter(({ result }) => result === 'failed').length
  const state: RestoreState = failures === 0 ? 'done' : done > 0 ? 'partial' : 'failed'
  const moved = state !== 'failed' && applyConversationMove(tx, id, input.finishes)
  // The interrupted restore ends before its recovery: the timeline lists them in this order.
  endRecovered(tx, recovered, input, state)
  endRestore(tx, id, state, applied)
  if (done > 0 || moved) updateMarks(tx, id, state)
  bumpRev(tx)
  return state
}

/**
 * Ends interrupted restores after their recovery: what they wrote is in the log. A restore that was finished counts as if it
 * had never been interrupted.
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

/** Stores the final state and the results of the items, in the transaction that appends the restore's Edits. */
export function endRestore(
  tx: Writable<Store>,
  id: string,
  state: RestoreState,
  results: readonly { n: number; result: ItemResult; reason: string }[]
): void {
  setItemResults(tx, id, results)
  closeRestore(tx, id, state)
  if (state !== 'refused') addEntry(tx, 'restore', id)
}

/**
 * Takes a restore off the undo stack without an undo: none of its edits is in force, because later restores replaced it or its
 * content was evicted, and the next undo has to reach the restore before it.
 */
export function supersede(tx: Writable<Store>, id: string): void {
  markSuperseded(tx, id)
  unmarkRestored(tx, id)
  bumpRev(tx)
}

/** What a restore changes besides files: the undo stack, and the marks of runs, checkpoints and outside changes. */
function updateMarks(tx: Writable<Store>, id: string, state: RestoreState): void {
  const row = findRestore(tx, id) as RestoreRow
  const touched = pathsOfRestore(tx, id)
  const undone = row.undoes ? findRestore(tx, row.undoes) : null
  if (undone) updateUndoStack(tx, row, undone, state, touched.length > 0)
  refreshUndone(tx, touched)
  const again = row.act === 'redo' && undone?.undoes ? findRestore(tx, undone.undoes) : row
  if (touched.length > 0 && again && again.act === 'restore' && again.whole === 1) markRestored(tx, again)
  if (row.act === 'drift') closeUndoneDrift(tx, row, state, touched)
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
  if (row.act === 'undo' && state === 'done') unmarkRestored(tx, undone.id)
  if (row.act === 'redo' && undone.undoes && (wrote || hasMovedConversation(tx, row.id)))
    setUndoneBy(tx, undone.undoes, null)
}

/** An outside change is closed as a whole, or for those of the touched paths on which all of it is undone. */
function closeUndoneDrift(tx: Writable<Store>, row: RestoreRow, state: RestoreState, touched: readonly PathId[]): void {
  if (row.whole === 1 && state === 'done') {
    closeDrift(tx, row.target, 'put-back')
    return
  }
  const own = editsOfTarget(tx, row.target)
  const paths = touched.map((path) => tx.records.headById(path).path)
  closeDrift(
    tx,
    row.target,
    'put-back',
    paths.filter((path) => findUndoOfFile(tx, own, path, undefined) !== null)
  )
}

export interface RestoreEdit {
  readonly restore: string
  readonly path: string
  /** Row id of the version that was written. */
  readonly after: number
  /** The Edit the path returns to; ignored for a merge. */
  readonly base: number
  /** Stat of what was written; null = absent. */
  readonly signature: AppliedItem['signature']
  readonly at: number
}

/** Appends one Edit of a restore (see `log/chain.ts`) and sets the head to what is on disk (DR-3). */
export function appendRestoreEdit(tx: Writable<Store>, edit: RestoreEdit): void {
  const { records } = tx
  const { restore, path, after, base, signature, at } = edit
  const head =
    records.head(path) ??
    records.headById(records.addPath(path, records.head(path.slice(0, Math.max(0, path.lastIndexOf('/'))))?.id ?? 1))
  // A merge builds on the Edit before it; the journal has the hunks it omits.
  const merge = isMerged(tx, restore, path)
  const seq = records.addEdit({
    path: head.id,
    before: head.version ?? records.absent,
    after,
    origin: 'restore',
    attribution: 'none',
    base: merge ? head.edit : base,
    merge,
    at,
    restore,
    drift: null
  })
  const isFolder = signature?.kind === 'dir'
  const wasFolder = head.signature?.kind === 'dir'
  records.setHead(head.id, after, seq, isFolder ? folderSignature(head, signature) : signature, at)
  if (isFolder && !wasFolder) records.setCovered(head.id, true)
  if (!isFolder && wasFolder) records.setCovered(head.id, false)
}

/** Keeps a folder's recorded times, so that the next scan lists it: its content may have changed outside the restore. */
function folderSignature({ signature: known }: Head, written: Signature): Signature {
  return known?.kind === 'dir' ? { ...known, mode: written.mode } : withoutListing(written)
}
