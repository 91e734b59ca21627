/** Plans and performs a restore under the workspace's lock: check, plan, guard, journal, apply, append. */
import { createHash } from 'node:crypto'
import type { Act, Choices } from '../../../contract/api.ts'
import type { RestorePlan, RestoreResult, RestoreState } from '../../../contract/domain.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { observe } from '../capture/observe.ts'
import { addCheckpoint, markRestored, unmarkRestored } from '../checkpoints/checkpoints.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { checkDisk, recheckPaths } from '../drift/check.ts'
import { closeDrift } from '../drift/drifts.ts'
import { createInside, isWithin } from '../files/inside.ts'
import { unlisted } from '../files/signature.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { liveRuns } from '../sessions/runs.ts'
import { refreshTakenBack } from '../sessions/taken-back.ts'
import type { Store } from '../store/open-store.ts'
import type { Head, StoredVersion, VersionId } from '../store/records.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { applyPlan } from './apply.ts'
import type { Applied, ApplyItem, ApplyPoint } from './apply-state.ts'
import { type ActFacts, factsOf } from './facts.ts'
import {
  beginRestore,
  endRestore,
  findRestore,
  markInterrupted,
  openRestore,
  openRestores,
  setPhase
} from './journal.ts'
import { type Planned, type PlannedItem, planRestore } from './plan.ts'
import type { Merge } from './provenance.ts'
import { settleInterrupted } from './settle.ts'

export interface PerformOptions {
  readonly act: Act
  readonly choices: Choices
  /** Hash of the plan a person saw; without it the present plan is taken. */
  readonly plan?: string
  readonly whileLive: boolean
  progress(restore: string, phase: 'stage' | 'write' | 'verify', done: number, total: number, path: string): void
  point?(point: ApplyPoint): void
}

/** The plan as it would be applied now. Checks the disk first (CK-2). */
export function preview(recorder: Recorder, act: Act, choices: Choices): Promise<RestorePlan> {
  return recorder.lock.run(async () => {
    await endDeadRuns(recorder)
    return toPlan(recorder, act, ...(await prepare(recorder, act, choices)))
  })
}

/** Applies an act. What is refused is a result, not an error; PlanStale, RunIsLive and the like are errors with nothing written. */
export function perform(recorder: Recorder, options: PerformOptions): Promise<RestoreResult> {
  return recorder.lock.run(() => performLocked(recorder, options))
}

async function prepare(recorder: Recorder, act: Act, choices: Choices): Promise<[ActFacts, Planned]> {
  const { store } = recorder
  const interrupted = openRestore(store)
  if (interrupted && act.kind !== 'recover') {
    throw new DriftlineError(
      'Refused',
      interrupted.abandoned
        ? 'A restore stopped half way. Finish it or undo it first (driftline recover finish | undo); nothing was written now.'
        : 'Another restore is being written right now. Nothing was written; try again when it is done.',
      { restore: interrupted.id }
    )
  }
  // Newest first: a recovery that was cut off lies on top of the restore it recovered.
  if (interrupted?.abandoned) for (const one of openRestores(store)) await settleInterrupted(recorder, one.id)
  await checkDisk(recorder, 'boundary')
  const all = factsOf(store, act, choices)
  // What became a folder of its own, or is our data, is never written from here.
  const facts = {
    ...all,
    paths: all.paths.filter((one) => ![...recorder.boundaries].some((boundary) => isWithin(one.path, boundary)))
  }
  return [facts, planRestore(facts)]
}

function toPlan(recorder: Recorder, act: Act, facts: ActFacts, planned: Planned): RestorePlan {
  return {
    plan: hashOf(act, planned),
    act: act.kind,
    target: facts.target,
    title: facts.title,
    targetAt: facts.targetAt,
    items: planned.items.map(withoutBase),
    conflicts: planned.conflicts,
    warnings: facts.warnings,
    unchanged: planned.unchanged,
    live: liveRuns(recorder.store).map((run) => ({ run: run.id, title: run.title, agent: run.agent }))
  }
}

function withoutBase({ path, action, note, before, after }: PlannedItem): RestorePlan['items'][number] {
  return { path, action, note, before: plain(before), after: plain(after) }
}

function plain({ kind, size, mode, hash, target, notStored }: PlannedItem['before']): PlannedItem['before'] {
  return { kind, size, mode, hash, target, notStored }
}

function hashOf(act: Act, planned: Planned): string {
  const essence = planned.items.map((item) => [
    item.path,
    item.action,
    ...Object.values(plain(item.before)),
    ...Object.values(plain(item.after))
  ])
  return createHash('sha256')
    .update(JSON.stringify([act.kind, essence, planned.conflicts]))
    .digest('hex')
    .slice(0, 24)
}

async function performLocked(recorder: Recorder, options: PerformOptions): Promise<RestoreResult> {
  const { store } = recorder
  const { act } = options
  await endDeadRuns(recorder)
  const live = liveRuns(store)
  if (live.length > 0 && !options.whileLive) {
    throw new DriftlineError(
      'RunIsLive',
      `"${live[0]?.title}" is still running here and may overwrite what is restored. Nothing was written. Wait until it ends.`,
      {
        runs: live.map((run) => run.id)
      }
    )
  }
  const [facts, planned] = await prepare(recorder, act, options.choices)
  const recovered = openRestores(store).map((row) => row.id)
  const plan = toPlan(recorder, act, facts, planned)
  if (options.plan !== undefined && options.plan !== plan.plan) {
    throw new DriftlineError(
      'PlanStale',
      'The files changed since the preview, so the plan is another one now. Nothing was written. Look at the new preview and decide again.',
      {
        plan
      }
    )
  }
  const ended = (state: RestoreState, refusal: string): RestoreResult => ({
    restore: '',
    state,
    guard: '',
    items: plan.items.map((item) => ({
      ...item,
      result: item.action === 'keep' ? 'kept' : 'skipped',
      ...(item.action === 'keep' ? { reason: item.note } : {})
    })),
    conflicts: plan.conflicts,
    warnings: plan.warnings,
    refusal
  })
  if (
    act.kind === 'undo-run' &&
    (act.onConflict ?? 'fail') === 'fail' &&
    plan.conflicts.some((one) => options.choices[one.path] === undefined)
  ) {
    return ended(
      'refused',
      `${plan.conflicts.length === 1 ? '1 file was' : `${plan.conflicts.length} files were`} changed by somebody else after this run. Nothing was written; choose keep or replace.`
    )
  }
  const work = planned.items.filter((item) => item.action !== 'keep')
  if (work.length === 0) {
    write(store.db, () => endRecovered(recorder, recovered))
    return ended('nothing-to-do', '')
  }

  const kept = storeWhatIsReplaced(recorder, work)
  const { id, items } = write(store.db, () => {
    refuseIfOvertaken(recorder, work, kept, recovered)
    return journal(recorder, facts, act, plan.plan, work)
  })
  const guard = findRestore(store, id)?.guard ?? ''
  recorder.changed(['restores', 'status'])
  let applied: Applied[]
  let state: RestoreState
  let committed = false
  try {
    applied = await applyPlan({
      root: recorder.root,
      restore: id,
      items,
      content: (item, take) => store.content.stream((item.after as StoredVersion).content as number, take),
      progress: (phase, done, path) => options.progress(id, phase, done, items.length, path),
      committed: () => {
        write(store.db, () => setPhase(store, id, 'write'))
        committed = true
      },
      ...(options.point ? { point: options.point } : {})
    })
    state = write(store.db, () => record(recorder, id, act, facts, planned, items, applied, recovered))
  } catch (error) {
    if (committed) {
      // Files have changed and the log does not know all of it: the journal does, and Finish or Undo goes on from there.
      write(store.db, () => markInterrupted(store, id))
      recorder.changed(['restores', 'status'])
      throw error
    }
    // Nothing visible has changed: the journal closes as refused and a typed reason goes to the caller.
    write(store.db, () => endRestore(store, id, 'refused', []))
    if (error instanceof DriftlineError && error.code === 'Refused')
      return { ...ended('refused', error.message), restore: id, guard }
    throw error
  }
  // What failed or was kept aside may differ from the log now: look again, still under the lock.
  const doubtful = applied.filter((one) => one.result !== 'done' || one.reason !== '')
  if (doubtful.length > 0) {
    await recheckPaths(
      recorder,
      doubtful.map((one) => one.path)
    )
  }
  recorder.changed(
    ['edits', 'restores', 'checkpoints', 'drift', 'runs', 'status'],
    work.map((item) => item.path).slice(0, 200)
  )
  const byPath = new Map(applied.map((one) => [one.path, one]))
  return {
    restore: id,
    state,
    guard,
    items: plan.items.map((item) => {
      const done = byPath.get(item.path)
      if (!done) return { ...item, result: 'kept' as const, reason: item.note }
      return { ...item, result: done.result, ...(done.reason ? { reason: done.reason } : {}) }
    }),
    conflicts: plan.conflicts,
    warnings: plan.warnings,
    refusal: ''
  }
}

/**
 * [RS-2] Another process may have recorded or begun something since the plan was made. Call inside the journal's
 * transaction, where nobody can come in between any more. `kept`: versions that only gained their content since.
 */
function refuseIfOvertaken(
  { store }: Recorder,
  work: readonly PlannedItem[],
  kept: ReadonlyMap<string, VersionId>,
  recovered: readonly string[]
): void {
  const other = openRestores(store).find((row) => !recovered.includes(row.id))
  if (other) {
    throw new DriftlineError(
      'Refused',
      'Another restore began at the same moment. Nothing was written by this one; try again when that one is done.',
      { restore: other.id }
    )
  }
  const changed = work.filter((item) => {
    const planned =
      kept.get(item.path) ?? ('id' in item.before ? (item.before as StoredVersion).id : store.records.absent)
    return (store.records.head(item.path)?.version ?? store.records.absent) !== planned
  })
  if (changed.length === 0) return
  throw new DriftlineError(
    'PlanStale',
    `${changed.length === 1 ? `${changed[0]?.path} changed` : `${changed.length} files changed`} since the preview. Nothing was written. Look at the new preview and decide again.`,
    { paths: changed.slice(0, 100).map((item) => item.path) }
  )
}

/** [RS-9] What will be overwritten or deleted is in the store first, whatever its size. Returns the versions made for that. */
function storeWhatIsReplaced(recorder: Recorder, work: readonly PlannedItem[]): Map<string, VersionId> {
  const { store, root } = recorder
  const kept = new Map<string, VersionId>()
  const inside = createInside(root)
  for (const item of work) {
    if (item.before.kind !== 'file' || item.before.notStored === null || item.note === 'cannot be undone') continue
    const seen = recorder.now()
    const one = observe(inside, store.content, item.path, { limit: Number.POSITIVE_INFINITY, folderReason: null })
    if (one.version.notStored !== null || one.version.kind !== 'file') {
      throw new DriftlineError('Refused', `What is in ${item.path} now could not be kept first. Nothing was written.`, {
        path: item.path
      })
    }
    write(store.db, () => {
      const head = store.records.head(item.path) as Head
      const content = one.bytes
        ? store.content.put(one.bytes, Buffer.from(one.version.hash as string, 'hex'), null)
        : one.content
      // The same state, now with its content: not an Edit.
      const version = store.records.addVersion(one.version, content)
      store.records.setHead(head.id, version, 0, one.signature, seen)
      kept.set(item.path, version)
    })
  }
  return kept
}

function journal(
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
function record(
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
  endRestore(
    store,
    id,
    state,
    applied.map((one) => ({ n: one.n, result: one.result, reason: one.reason }))
  )
  if (done > 0) {
    if (facts.undoes) {
      store.db.prepare('UPDATE restore SET undone_by = ? WHERE id = ?').run(id, facts.undoes)
      const undone = findRestore(store, facts.undoes)
      if (act.kind === 'undo') unmarkRestored(store, facts.undoes)
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
  endRecovered(recorder, recovered)
  bumpRev(store.db)
  return state
}

/** Restores that were cut off are over once their recovery is: what they wrote is in the log. Call inside a transaction. */
function endRecovered({ store }: Recorder, recovered: readonly string[]): void {
  for (const id of [...recovered].reverse()) endRestore(store, id, 'partial', [])
  if (recovered.length > 0) bumpRev(store.db)
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
