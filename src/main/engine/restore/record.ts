/** A restore in the log: its guard and journal before the first write, its Edits and marks after the last. */
import type { Act, RestoreState } from '../../../contract/restore.ts'
import { addCheckpoint, markRestored, unmarkRestored } from '../checkpoints/checkpoints.ts'
import { bumpRev } from '../db/transaction.ts'
import { ownEdits, wholeTakenBack } from '../diff/own-file.ts'
import { closeDrift } from '../drift/drifts.ts'
import { unlisted } from '../files/signature.ts'
import { refreshTakenBack } from '../sessions/taken-back.ts'
import type { Head, PathId } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { Applied, ApplyItem } from './apply-state.ts'
import { journalConversation, type ModePlan, moveConversation, movedConversation } from './conversation.ts'
import type { ActFacts } from './facts/act-facts.ts'
import { beginRestore, endRestore, findRestore, markWritten, openRestores, type RestoreRow } from './journal.ts'
import type { Planned, PlannedItem } from './plan.ts'
import type { Merge } from './provenance.ts'

/** Guard, restore, items and what merges leave out, durable when the transaction commits (RS-3). Call inside it. */
export function journal(
  recorder: Recorder,
  facts: ActFacts,
  act: Act,
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
    return { item, head, before, after: versionToWrite(store, item, facts, head) }
  })
  const id = beginRestore(
    store,
    {
      act: act.kind,
      title: facts.title,
      mode: modes.mode,
      toSeq: facts.toSeq,
      guard: guard.id,
      undoes: facts.undoes,
      finishes: facts.finishes,
      target: facts.target,
      whole: facts.whole,
      plan
    },
    rows.map(({ item, before, after }) => ({ path: item.path, action: item.action, before, after, base: item.base })),
    at
  )
  journalConversation(store, id, modes)
  const without = store.db.prepare('INSERT INTO restore_without VALUES (?, ?, ?, ?, ?)')
  for (const { item } of rows)
    for (const one of mergeOf(facts, item)?.leaveOut ?? [])
      without.run(id, item.path, one.seq, one.hunk, one.whole ? 1 : 0)
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

function mergeOf(facts: ActFacts, item: PlannedItem): Merge | null {
  return item.merged ? (facts.paths.find((path) => path.path === item.path)?.merge ?? null) : null
}

/** A recorded version, one that a merge made, or a folder that nobody recorded. */
function versionToWrite({ records, content }: Store, item: PlannedItem, facts: ActFacts, head: Head | null): VersionId {
  if ('id' in item.after) return (item.after as StoredVersion).id
  const merge = mergeOf(facts, item)
  if (!merge) return records.addVersion(item.after, null)
  const previous = head?.version == null ? null : records.version(head.version).content
  return records.addVersion(
    merge.version,
    content.put(merge.bytes, Buffer.from(merge.version.hash as string, 'hex'), previous)
  )
}

/** Appends the restore's Edits for what is verified on disk. Call inside a transaction. */
export function recordRestore(
  recorder: Recorder,
  id: string,
  facts: ActFacts,
  planned: Planned,
  items: readonly ApplyItem[],
  applied: readonly Applied[],
  recovered: readonly string[]
): RestoreState {
  const { store } = recorder
  const at = recorder.now()
  const bases = new Map(planned.items.map((item) => [item.path, item.base]))
  for (const one of applied) {
    if (one.result !== 'done') continue
    const item = items[one.n] as ApplyItem
    const after = (item.after as StoredVersion).id
    appendRestored(recorder, facts.finishes ?? id, item.path, after, bases.get(item.path) ?? 0, one.signature, at)
    if (facts.finishes) markWritten(store, facts.finishes, item.path)
  }
  const done = applied.filter((one) => one.result === 'done').length
  const failures = applied.filter((one) => one.result === 'failed').length
  const state: RestoreState = failures === 0 ? 'done' : done > 0 ? 'partial' : 'failed'
  const moved = state !== 'failed' && moveConversation(store, id, facts.finishes)
  // First what was cut off, then its recovery: the timeline tells it in that order.
  endRecovered(recorder, recovered, facts, state)
  endRestore(
    store,
    id,
    state,
    applied.map((one) => ({ n: one.n, result: one.result, reason: one.reason }))
  )
  if (done > 0 || moved) takeEffect(store, id, state)
  bumpRev(store.db)
  return state
}

/**
 * Restores that were cut off are over once their recovery is: what they wrote is in the log. One that was finished counts
 * as though it had never stopped. Call inside a transaction.
 */
export function endRecovered(
  { store }: Recorder,
  recovered: readonly string[],
  { finishes, undoes }: ActFacts,
  outcome: RestoreState
): void {
  // Another process may have recovered at the same moment: what it ended is over.
  const open = openRestores(store).filter((row) => recovered.includes(row.id))
  for (const row of open.reverse()) {
    const { id } = row
    const complete = id === finishes || (undoes !== null && row.undoes === undoes)
    const state = complete && outcome === 'done' ? 'done' : 'partial'
    endRestore(store, id, state, [])
    takeEffect(store, id, state)
  }
  if (open.length > 0) bumpRev(store.db)
}

/**
 * Nothing of a restore is left to take back, others did that or its content went: the next step is the one before it. It
 * stands as undone by itself, since no undo wrote anything. Call inside a transaction.
 */
export function stepOver(store: Store, id: string): void {
  store.db.prepare('UPDATE restore SET undone_by = id WHERE id = ? AND undone_by IS NULL').run(id)
  unmarkRestored(store, id)
  bumpRev(store.db)
}

/** What a restore changes beside files: marks of checkpoints, runs, outside changes and of the restore it takes back. Call inside a transaction. */
function takeEffect(store: Store, id: string, state: RestoreState): void {
  const row = findRestore(store, id) as RestoreRow
  const touched = store.db.prepare('SELECT DISTINCT path FROM edit WHERE restore = ?').all(id) as { path: PathId }[]
  const undone = row.undoes ? findRestore(store, row.undoes) : null
  if (undone) {
    // One that could not do all of it is not over: the same undo or redo goes on with the rest.
    if (state === 'done') store.db.prepare('UPDATE restore SET undone_by = ? WHERE id = ?').run(id, undone.id)
    if (row.act === 'undo' && state === 'done') unmarkRestored(store, undone.id)
    if (row.act === 'redo' && undone.undoes && (touched.length > 0 || movedConversation(store, id)))
      store.db.prepare('UPDATE restore SET undone_by = NULL WHERE id = ?').run(undone.undoes)
  }
  refreshTakenBack(
    store,
    touched.map((one) => one.path)
  )
  const again = row.act === 'redo' && undone?.undoes ? findRestore(store, undone.undoes) : row
  if (touched.length > 0 && again && again.act === 'restore' && again.whole === 1) markRestored(store, again)
  if (row.act !== 'drift') return
  if (row.whole === 1 && state === 'done') closeDrift(store, row.target, 'put-back')
  else {
    const own = ownEdits(store, row.target)
    const over = touched.map((one) => store.records.headById(one.path).path)
    closeDrift(
      store,
      row.target,
      'put-back',
      over.filter((path) => wholeTakenBack(store, own, path, undefined) !== null)
    )
  }
}

/** One Edit of a restore: a pointer to the Edit it returns to, and a head that equals the disk (DR-3). Call inside a transaction. */
export function appendRestored(
  recorder: Recorder,
  restore: string,
  path: string,
  after: number,
  base: number,
  signature: Applied['signature'],
  at: number
): void {
  const { records } = recorder.store
  const head =
    records.head(path) ??
    records.headById(records.addPath(path, records.head(path.slice(0, Math.max(0, path.lastIndexOf('/'))))?.id ?? 1))
  // A merge stands on the Edit before it; the journal has the hunks it left out.
  const merge =
    recorder.store.db.prepare('SELECT 1 FROM restore_without WHERE restore = ? AND path = ?').get(restore, path) !==
    undefined
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
  records.setHead(
    head.id,
    after,
    seq,
    isFolder && signature
      ? wasFolder && head.signature
        ? { ...head.signature, mode: signature.mode }
        : unlisted(signature)
      : signature,
    at
  )
  if (isFolder && !wasFolder) records.setCovered(head.id, true)
  if (!isFolder && wasFolder) records.setCovered(head.id, false)
}
