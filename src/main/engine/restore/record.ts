/**
 * A restore in the store: its guard and journal before the first write, its Edits and their consequences after the last.
 * Everything here runs inside a transaction of the caller.
 */
import type { RestoreRequest, RestoreState } from '../../../contract/restore.ts'
import { addCheckpoint, markRestored, unmarkRestored } from '../checkpoints/checkpoints.ts'
import { bumpRev } from '../db/transaction.ts'
import { editsOfTarget, findUndoOfFile } from '../diff/file-review.ts'
import type { Merge } from '../diff/provenance.ts'
import { closeDrift } from '../drift/drifts.ts'
import { type Signature, withoutListing } from '../files/signature.ts'
import { refreshUndone } from '../runs/undone.ts'
import type { Head, PathId } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { AppliedItem, ApplyItem } from './apply-state.ts'
import { applyConversationMove, hasMovedConversation, journalConversation, type ModePlan } from './conversation.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { beginRestore, endRestore, findRestore, markWritten, type RestoreRow, unfinishedRestores } from './journal.ts'
import type { Planned, PlannedItem } from './plan.ts'

/** Writes guard, restore, items and what merges omit. Durable when the transaction commits (RS-3). */
export function writeJournal(
  recorder: Recorder,
  input: RequestInput,
  request: RestoreRequest,
  plan: string,
  modes: ModePlan,
  work: readonly PlannedItem[]
): { id: string; items: ApplyItem[] } {
  const { store } = recorder
  const { records } = store
  const at = recorder.now()
  const guard = addCheckpoint(recorder, { reason: 'pre_restore_guard', session: modes.to?.session ?? null }, at)
  const rows = work.map((item) => {
    const head = records.head(item.path)
    const before = head?.version ?? records.absent
    return { item, head, before, after: storeTargetVersion(store, item, input, head) }
  })
  const id = beginRestore(
    store,
    {
      act: request.kind,
      title: input.title,
      mode: modes.mode,
      toSeq: input.toSeq,
      guard: guard.id,
      undoes: input.undoes,
      finishes: input.finishes,
      target: input.target,
      whole: input.whole,
      plan
    },
    rows.map(({ item, before, after }) => ({ path: item.path, action: item.action, before, after, base: item.base })),
    at
  )
  journalConversation(store, id, modes)
  const addOmit = store.db.prepare('INSERT INTO restore_without VALUES (?, ?, ?, ?, ?)')
  for (const { item } of rows)
    for (const omit of mergeOf(input, item)?.omits ?? [])
      addOmit.run(id, item.path, omit.seq, omit.hunk, omit.whole ? 1 : 0)
  bumpRev(store.db)
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
  { records, content }: Store,
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
  recorder: Recorder,
  id: string,
  input: RequestInput,
  planned: Planned,
  items: readonly ApplyItem[],
  applied: readonly AppliedItem[],
  recovered: readonly string[]
): RestoreState {
  const { store } = recorder
  const at = recorder.now()
  const bases = new Map(planned.items.map((item) => [item.path, item.base]))
  for (const { n, result, path, signature } of applied) {
    if (result !== 'done') continue
    const after = ((items[n] as ApplyItem).after as StoredVersion).id
    const restore = input.finishes ?? id
    appendRestoreEdit(recorder, { restore, path, after, base: bases.get(path) ?? 0, signature, at })
    if (input.finishes) markWritten(store, input.finishes, path)
  }
  const done = applied.filter(({ result }) => result === 'done').length
  const failures = applied.filter(({ result }) => result === 'failed').length
  const state: RestoreState = failures === 0 ? 'done' : done > 0 ? 'partial' : 'failed'
  const moved = state !== 'failed' && applyConversationMove(store, id, input.finishes)
  // The interrupted restore ends before its recovery: the timeline lists them in this order.
  endRecovered(recorder, recovered, input, state)
  endRestore(store, id, state, applied)
  if (done > 0 || moved) updateMarks(store, id, state)
  bumpRev(store.db)
  return state
}

/**
 * Ends interrupted restores after their recovery: what they wrote is in the log. A restore that was finished counts as if it
 * had never been interrupted.
 */
export function endRecovered(
  { store }: Recorder,
  recovered: readonly string[],
  { finishes, undoes }: RequestInput,
  outcome: RestoreState
): void {
  // Another process may have ended some of them in the meantime.
  const unfinished = unfinishedRestores(store).filter((row) => recovered.includes(row.id))
  for (const row of unfinished.reverse()) {
    const { id } = row
    const complete = id === finishes || (undoes !== null && row.undoes === undoes)
    const state = complete && outcome === 'done' ? 'done' : 'partial'
    endRestore(store, id, state, [])
    updateMarks(store, id, state)
  }
  if (unfinished.length > 0) bumpRev(store.db)
}

/**
 * Takes a restore off the undo stack without an undo: nothing of it is in force, because later restores replaced it or its
 * content was evicted, and the next undo has to reach the restore before it. `undone_by` is its own id then.
 */
export function supersede(store: Store, id: string): void {
  store.db.prepare('UPDATE restore SET undone_by = id WHERE id = ? AND undone_by IS NULL').run(id)
  unmarkRestored(store, id)
  bumpRev(store.db)
}

/** What a restore changes besides files: the undo stack, and the marks of runs, checkpoints and outside changes. */
function updateMarks(store: Store, id: string, state: RestoreState): void {
  const row = findRestore(store, id) as RestoreRow
  const touched = (
    store.db.prepare('SELECT DISTINCT path FROM edit WHERE restore = ?').all(id) as { path: PathId }[]
  ).map(({ path }) => path)
  const undone = row.undoes ? findRestore(store, row.undoes) : null
  if (undone) updateUndoStack(store, row, undone, state, touched.length > 0)
  refreshUndone(store, touched)
  const again = row.act === 'redo' && undone?.undoes ? findRestore(store, undone.undoes) : row
  if (touched.length > 0 && again && again.act === 'restore' && again.whole === 1) markRestored(store, again)
  if (row.act === 'drift') closeUndoneDrift(store, row, state, touched)
}

function updateUndoStack(store: Store, row: RestoreRow, undone: RestoreRow, state: RestoreState, wrote: boolean): void {
  // A partial undo stays on top of the stack: the next undo or redo continues with the rest.
  if (state === 'done') store.db.prepare('UPDATE restore SET undone_by = ? WHERE id = ?').run(row.id, undone.id)
  if (row.act === 'undo' && state === 'done') unmarkRestored(store, undone.id)
  if (row.act === 'redo' && undone.undoes && (wrote || hasMovedConversation(store, row.id)))
    store.db.prepare('UPDATE restore SET undone_by = NULL WHERE id = ?').run(undone.undoes)
}

/** An outside change is closed as a whole, or for those of the touched paths on which all of it is undone. */
function closeUndoneDrift(store: Store, row: RestoreRow, state: RestoreState, touched: readonly PathId[]): void {
  if (row.whole === 1 && state === 'done') {
    closeDrift(store, row.target, 'put-back')
    return
  }
  const own = editsOfTarget(store, row.target)
  const paths = touched.map((path) => store.records.headById(path).path)
  closeDrift(
    store,
    row.target,
    'put-back',
    paths.filter((path) => findUndoOfFile(store, own, path, undefined) !== null)
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
export function appendRestoreEdit({ store }: Recorder, edit: RestoreEdit): void {
  const { records } = store
  const { restore, path, after, base, signature, at } = edit
  const head =
    records.head(path) ??
    records.headById(records.addPath(path, records.head(path.slice(0, Math.max(0, path.lastIndexOf('/'))))?.id ?? 1))
  // A merge builds on the Edit before it; the journal has the hunks it omits.
  const merge =
    store.db.prepare('SELECT 1 FROM restore_without WHERE restore = ? AND path = ?').get(restore, path) !== undefined
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
