/** A restore in the log: its guard and journal before the first write, its Edits and marks after the last. */
import type { Act } from '../../../contract/api.ts'
import type { RestoreState } from '../../../contract/domain.ts'
import { addCheckpoint, markRestored, unmarkRestored } from '../checkpoints/checkpoints.ts'
import { bumpRev } from '../db/transaction.ts'
import { closeDrift } from '../drift/drifts.ts'
import { unlisted } from '../files/signature.ts'
import { refreshTakenBack } from '../sessions/taken-back.ts'
import type { Store } from '../store/open-store.ts'
import type { Head, StoredVersion, VersionId } from '../store/records.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { Applied, ApplyItem } from './apply-state.ts'
import type { ActFacts } from './facts.ts'
import { beginRestore, endRestore, findRestore, openRestores } from './journal.ts'
import type { Planned, PlannedItem } from './plan.ts'
import type { Merge } from './provenance.ts'

/** Guard, restore, items and what merges leave out, durable when the transaction commits (RS-3). Call inside it. */
export function journal(
  recorder: Recorder,
  facts: ActFacts,
  act: Act,
  plan: string,
  work: readonly PlannedItem[]
): { id: string; items: ApplyItem[] } {
  const { store } = recorder
  const { records } = store
  const at = recorder.now()
  const guard = addCheckpoint(store, { reason: 'pre_restore_guard', label: '' }, at)
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
      toSeq: facts.toSeq,
      guard: guard.id,
      undoes: facts.undoes,
      run: facts.run,
      plan
    },
    rows.map(({ item, before, after }) => ({ path: item.path, action: item.action, before, after, base: item.base })),
    at
  )
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
  return item.merged ? (facts.paths.find((one) => one.path === item.path)?.merge ?? null) : null
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
  act: Act,
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
    appendRestored(
      recorder,
      id,
      item.path,
      (item.after as StoredVersion).id,
      bases.get(item.path) ?? 0,
      one.signature,
      at
    )
  }
  const done = applied.filter((one) => one.result === 'done').length
  const failures = applied.filter((one) => one.result === 'failed').length
  const state: RestoreState = failures === 0 ? 'done' : done > 0 ? 'partial' : 'failed'
  // First what was cut off, then its recovery: the timeline tells it in that order.
  endRecovered(recorder, recovered)
  endRestore(
    store,
    id,
    state,
    applied.map((one) => ({ n: one.n, result: one.result, reason: one.reason }))
  )
  if (done > 0) {
    if (facts.undoes) {
      // One that could not do all of it is not over: the same undo or redo goes on with the rest.
      if (state === 'done') store.db.prepare('UPDATE restore SET undone_by = ? WHERE id = ?').run(id, facts.undoes)
      const undone = findRestore(store, facts.undoes)
      if (act.kind === 'undo' && state === 'done') unmarkRestored(store, facts.undoes)
      if (act.kind === 'redo' && undone?.undoes)
        store.db.prepare('UPDATE restore SET undone_by = NULL WHERE id = ?').run(undone.undoes)
    }
    refreshTakenBack(
      store,
      applied.filter((one) => one.result === 'done').map((one) => (store.records.head(one.path) as Head).id)
    )
    if (facts.toSeq !== null) markRestored(store, facts.toSeq, id)
    if (act.kind === 'drift' && state === 'done') closeDrift(store, facts.target, 'put-back')
  }
  bumpRev(store.db)
  return state
}

/** Restores that were cut off are over once their recovery is: what they wrote is in the log. Call inside a transaction. */
export function endRecovered({ store }: Recorder, recovered: readonly string[]): void {
  // Another process may have recovered at the same moment: what it ended is over.
  const open = openRestores(store).filter((row) => recovered.includes(row.id))
  for (const { id } of open.reverse()) endRestore(store, id, 'partial', [])
  if (open.length > 0) bumpRev(store.db)
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
