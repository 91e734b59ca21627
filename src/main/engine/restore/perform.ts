/** Plans and performs a restore under the workspace's lock: check, plan, guard, journal, apply, append. */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Act, Choices, RestorePlan, RestoreResult, RestoreState } from '../../../contract/restore.ts'
import { write } from '../db/transaction.ts'
import { checkDisk, recheckPaths } from '../drift/check.ts'
import { isWithin } from '../files/inside.ts'
import { fold, foldsNames } from '../files/spelling.ts'
import { isUnreadable } from '../ports/fs-errors.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { busyRuns } from '../sessions/tool-calls.ts'
import { plainVersion, type StoredVersion } from '../store/versions.ts'
import { refuseWithoutRoom } from '../workspaces/disk-space.ts'
import { checkedOut } from '../workspaces/git-facts.ts'
import { refuseWhileMissing } from '../workspaces/presence.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { applyPlan } from './apply.ts'
import type { Applied, ApplyItem, ApplyPoint } from './apply-state.ts'
import { conversationResult, type ModePlan, planConversation } from './conversation.ts'
import type { ActFacts } from './facts/act-facts.ts'
import { factsOf } from './facts.ts'
import { refuseIfOvertaken, storeWhatIsReplaced } from './guard.ts'
import { endRestore, findRestore, markInterrupted, openRestore, openRestores, setPhase } from './journal.ts'
import { warnOfOtherBranch } from './other-branch.ts'
import { warnOfOtherNames } from './other-names.ts'
import { type Planned, type PlannedItem, planRestore } from './plan.ts'
import { endRecovered, journal, recordRestore, stepOver } from './record.ts'
import { refusedBySystem } from './refused-by-system.ts'
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
    return toPlan(recorder, act, await prepare(recorder, act, choices))
  })
}

/** Applies an act. What is refused is a result, not an error; PlanStale, RunIsLive and the like are errors with nothing written. */
export function perform(recorder: Recorder, options: PerformOptions): Promise<RestoreResult> {
  return recorder.lock.run(() => performLocked(recorder, options))
}

interface Prepared {
  readonly facts: ActFacts
  readonly planned: Planned
  readonly modes: ModePlan
  /** Cut off restores that were settled and end with this act. */
  readonly recovered: readonly string[]
}

async function prepare(recorder: Recorder, act: Act, choices: Choices): Promise<Prepared> {
  const { store } = recorder
  refuseWhileMissing(recorder, 'nothing was written.')
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
  const recovered = interrupted?.abandoned ? openRestores(store).map((row) => row.id) : []
  for (const id of recovered) await settleInterrupted(recorder, id)
  // [B21]
  await checkDisk(recorder, 'position')
  refuseWithoutRoom(recorder.space)
  const named = factsOf(store, act, choices)
  const modes = planConversation(recorder, act, named)
  const all = modes.mode === 'conversation' ? { ...named, paths: [], toSeq: null, warnings: [] } : named
  // What became a folder of its own, or is our data, is never written from here.
  const facts = {
    ...all,
    paths: all.paths.filter((path) => ![...recorder.boundaries].some((boundary) => isWithin(path.path, boundary))),
    ...(foldsNames(recorder.root) ? { fold } : {})
  }
  return { facts, planned: planRestore(facts), modes, recovered }
}

function toPlan(recorder: Recorder, act: Act, { facts, planned, modes }: Prepared): RestorePlan {
  return {
    plan: hashOf(act, planned, modes),
    act: act.kind,
    target: facts.target,
    title: facts.title,
    targetAt: facts.targetAt,
    items: planned.items.map(withoutBase),
    conflicts: planned.conflicts,
    warnings: [...facts.warnings, ...modes.warnings, ...warningsOf(recorder, facts, planned)],
    unchanged: planned.unchanged,
    live: busyRuns(recorder.store).map((run) => ({ run: run.id, title: run.title, agent: run.agent })),
    mode: modes.mode,
    modes: modes.modes,
    conversation: modes.conversation
  }
}

/** What the disk and git say of files that would be written. */
function warningsOf({ store, root }: Recorder, facts: ActFacts, { items }: Planned): string[] {
  if (items.every((item) => item.action === 'keep')) return []
  return [...warnOfOtherBranch(store, facts, checkedOut(root)), ...warnOfOtherNames(root, items)]
}

function withoutBase({ path, action, note, before, after }: PlannedItem): RestorePlan['items'][number] {
  return { path, action, note, before: plainVersion(before), after: plainVersion(after) }
}

function hashOf(act: Act, planned: Planned, { mode, to, conversation }: ModePlan): string {
  const essence = planned.items.map((item) => [
    item.path,
    item.action,
    ...Object.values(plainVersion(item.before)),
    ...Object.values(plainVersion(item.after))
  ])
  return createHash('sha256')
    .update(JSON.stringify([act.kind, essence, planned.conflicts, mode, to, to && conversation?.revision]))
    .digest('hex')
    .slice(0, 24)
}

async function performLocked(recorder: Recorder, options: PerformOptions): Promise<RestoreResult> {
  const { store } = recorder
  const { act } = options
  await endDeadRuns(recorder)
  if (!options.whileLive) refuseWhileLive(recorder)
  const prepared = await prepare(recorder, act, options.choices)
  const { facts, planned, modes, recovered } = prepared
  const plan = toPlan(recorder, act, prepared)
  if (options.plan !== undefined && options.plan !== plan.plan) {
    throw new DriftlineError(
      'PlanStale',
      'The files changed since the preview, so the plan is another one now. Nothing was written. Look at the new preview and decide again.',
      { plan }
    )
  }
  const undecided = plan.conflicts.filter((conflict) => options.choices[conflict.path] === undefined)
  if (act.kind === 'undo-run' && (act.onConflict ?? 'fail') === 'fail' && undecided.length > 0) {
    const files = undecided.length === 1 ? '1 file was' : `${undecided.length} files were`
    return unwritten(
      plan,
      'refused',
      `${files} changed by somebody else after this run. Nothing was written; choose keep, merge or replace.`
    )
  }
  const work = planned.items.filter((item) => item.action !== 'keep')
  if (work.length === 0 && modes.to === null) {
    // Kept for want of a decision is not over: the same undo can still be asked to replace.
    const over =
      (act.kind === 'undo' || act.kind === 'redo') &&
      planned.conflicts.every((conflict) => conflict.choices.length === 1)
    write(store.db, () => {
      endRecovered(recorder, recovered, facts, 'done')
      if (over) stepOver(store, facts.target)
    })
    if (over) recorder.changed(['restores', 'checkpoints', 'status'])
    return unwritten(plan, 'nothing-to-do', '')
  }

  const kept = storeWhatIsReplaced(recorder, work)
  const { id, items } = write(store.db, () => {
    refuseIfOvertaken(recorder, work, kept, recovered)
    return journal(recorder, facts, act, plan.plan, modes, work)
  })
  const guard = findRestore(store, id)?.guard ?? ''
  recorder.changed(['restores', 'status'])
  const outcome = await carryThrough(recorder, options, id, items, (applied) =>
    recordRestore(recorder, id, facts, planned, items, applied, recovered)
  )
  if ('refusal' in outcome) return { ...unwritten(plan, 'refused', outcome.refusal), restore: id, guard }

  // What failed or was kept aside may differ from the log now: look again, still under the lock.
  const doubtful = outcome.applied.filter((one) => one.result !== 'done' || one.reason !== '').map((one) => one.path)
  if (doubtful.length > 0) await recheckPaths(recorder, doubtful)
  recorder.changed(
    ['edits', 'restores', 'checkpoints', 'drift', 'runs', 'status', 'sessions'],
    work.map((item) => item.path).slice(0, 200)
  )
  const conversation = conversationResult(recorder, facts.finishes ?? id, modes)
  return { ...written(plan, outcome), restore: id, state: outcome.state, guard, conversation }
}

/** [RS-8] */
function refuseWhileLive({ store }: Recorder): void {
  const live = busyRuns(store)
  if (live.length === 0) return
  throw new DriftlineError(
    'RunIsLive',
    `"${live[0]?.title}" is still running here and may overwrite what is restored. Nothing was written. Wait until it ends.`,
    { runs: live.map((run) => run.id) }
  )
}

type Outcome =
  | { readonly applied: Applied[]; readonly state: RestoreState; readonly warnings: readonly string[] }
  | { readonly refusal: string }

/**
 * Applies and records. Before the first visible change a failure closes the journal as refused; after it, or when something
 * of ours could not be taken away, the journal stays open for Finish or Undo.
 */
async function carryThrough(
  { store, root, changed }: Recorder,
  options: PerformOptions,
  id: string,
  items: readonly ApplyItem[],
  record: (applied: Applied[]) => RestoreState
): Promise<Outcome> {
  let committed = false
  let left = false
  const warnings: string[] = []
  const keepOpen = (): void => {
    write(store.db, () => markInterrupted(store, id))
    changed(['restores', 'status'])
  }
  try {
    const applied = await applyPlan({
      root,
      restore: id,
      items,
      content: (item, take) => store.content.stream((item.after as StoredVersion).content as number, take),
      progress: (phase, done, path) => options.progress(id, phase, done, items.length, path),
      committed: () => {
        write(store.db, () => setPhase(store, id, 'write'))
        committed = true
      },
      left: () => {
        left = true
      },
      withoutModes: () => {
        warnings.push(WITHOUT_MODES)
      },
      ...(options.point ? { point: options.point } : {})
    })
    // Something lies aside or staged that only a recovery can put right, once the system allows it.
    if (left) keepOpen()
    return { applied, warnings, state: left ? 'interrupted' : write(store.db, () => record(applied)) }
  } catch (error) {
    if (committed || left) {
      keepOpen()
      throw stoppedHalfWay(root, error)
    }
    write(store.db, () => endRestore(store, id, 'refused', []))
    if (isUnreadable(error))
      return { refusal: `The folder cannot be read: ${refusedBySystem(error)}. Nothing was changed.` }
    if (error instanceof DriftlineError && error.code === 'Refused') return { refusal: error.message }
    throw error
  }
}

function stoppedHalfWay(root: string, error: unknown): unknown {
  if (!isUnreadable(error)) return error
  return new DriftlineError(
    'FolderMissing',
    `The restore stopped, because of what the system said of ${root}: ${refusedBySystem(error)}. Nothing is lost. When the folder can be read again, finish or undo the restore (driftline recover finish | undo).`,
    { folder: root }
  )
}

function unwritten(plan: RestorePlan, state: RestoreState, refusal: string): RestoreResult {
  const { items, conflicts, warnings } = plan
  return {
    restore: '',
    state,
    guard: '',
    items: items.map((item) =>
      item.action === 'keep' ? { ...item, result: 'kept', reason: item.note } : { ...item, result: 'skipped' }
    ),
    conflicts,
    warnings,
    refusal,
    conversation: null
  }
}

const WITHOUT_MODES =
  'This disk keeps no permissions, so files and folders have those the disk gives them. The recorded ones are kept in the history.'

function written(
  plan: RestorePlan,
  { applied, warnings }: { readonly applied: readonly Applied[]; readonly warnings: readonly string[] }
): Omit<RestoreResult, 'restore' | 'state' | 'guard'> {
  const byPath = new Map(applied.map((one) => [one.path, one]))
  return {
    items: plan.items.map((item) => {
      const done = byPath.get(item.path)
      if (!done) return { ...item, result: 'kept', reason: item.note }
      return { ...item, result: done.result, ...(done.reason ? { reason: done.reason } : {}) }
    }),
    conflicts: plan.conflicts,
    warnings: [...plan.warnings, ...warnings],
    refusal: '',
    conversation: null
  }
}
