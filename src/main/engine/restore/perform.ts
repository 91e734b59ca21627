/**
 * Performs restores, under the workspace's lock. In this order:
 *
 *   settle    an interrupted restore's writes become edits (RS-7); this and the next two are in prepare.ts
 *   check     the disk is compared with the log (CK-2), so that the plan's "now" is the disk
 *   plan      pure (RS-1)
 *   guard     what will be replaced is stored (RS-9)
 *   journal   guard checkpoint and items become durable (RS-3)
 *   apply     the files are written (RS-4, RS-5)
 *   git       chosen items of git's own state are written (GT-7); a `.git` that is to go went before the files
 *   record    the restore's edits are appended, and the journal is closed
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type {
  ItemOutcome,
  Resolutions,
  RestorePlan,
  RestoreRequest,
  RestoreResult,
  RestoreState
} from '../../../contract/restore.ts'
import { lossText } from '../../../contract/words/plan.ts'
import { recheckPaths } from '../drift/check.ts'
import { isUnreadable } from '../files/fs-errors.ts'
import { createPatience, type Patience } from '../files/in-use.ts'
import { log } from '../ports/log.ts'
import { beginTask } from '../ports/processes.ts'
import { busyRuns } from '../runs/run-state.ts'
import { readingAhead } from '../store/content-rows-ahead.ts'
import type { Store } from '../store/open-store.ts'
import { findRestore, markInterrupted } from '../store/restores.ts'
import { transact, type Writable } from '../store/sql.ts'
import { applyPlan } from './apply.ts'
import { type AppliedItem, type ApplyItem, type ApplyPoint, type ApplyState, createState } from './apply-state.ts'
import { conversationResult } from './conversation.ts'
import { fsErrorText } from './fs-error-reason.ts'
import { createGitWrites, type GitWrites } from './git-part.ts'
import { refuseIfStale, storeReplacedContent, storeSentContent, writeJournal } from './guard.ts'
import { createMissingFolder } from './missing-folder.ts'
import { isFolderDeleted, type Prepared, prepare, toRestorePlan } from './prepare.ts'
import { createProgress } from './progress.ts'
import { endRecovered, endRestore, recordRestore, supersede } from './record.ts'
import type { RestoreContext } from './restore-context.ts'
import { contentsOf } from './written-contents.ts'

export interface RestoreOptions {
  readonly request: RestoreRequest
  readonly resolutions: Resolutions
  /** Hash of the plan a person has seen. Without it the current plan is applied. */
  readonly plan?: string
  /** Overrides [RS-8]. */
  readonly whileLive: boolean
  progress(restore: string, phase: 'stage' | 'write' | 'verify', done: number, total: number, path: string): void
  /** [RS-15] How long files in use are waited for; a restore's usual time by default. */
  readonly patience?: Patience
  /** Called in the transaction of the journal, before anything is written; what it throws ends the restore. */
  readonly onJournal?: (tx: Writable<Store>) => void
  /** For crash tests. */
  readonly point?: (point: ApplyPoint) => void
}

/**
 * Applies a request. A refusal by the file system or because of conflicts is a result; PlanStale, RunIsLive and the
 * like are thrown. Either way nothing was written then.
 */
export async function performRestore(context: RestoreContext, options: RestoreOptions): Promise<RestoreResult> {
  const result = await context.lock.run(() => performLocked(context, options))
  const warning = result.restore !== '' && result.state !== 'refused' ? context.revive() : null
  return warning ? { ...result, warnings: [...result.warnings, warning] } : result
}

async function performLocked(context: RestoreContext, options: RestoreOptions): Promise<RestoreResult> {
  const { request, patience = createPatience() } = options
  await context.endDeadRuns()
  if (!options.whileLive) refuseWhileLive(context)
  const prepared = await prepare(context, request, options.resolutions, patience)
  const { planned, modes, git } = prepared
  const plan = toRestorePlan(context, request, prepared)
  if (options.plan !== undefined && options.plan !== plan.plan) {
    throw new DriftlineError(
      'PlanStale',
      'The files changed since the preview, so the plan is out of date. Nothing was written. Review the new preview.',
      { plan }
    )
  }
  const refusal = refuseUndecided(options, plan)
  if (refusal) return resultOf(plan, 'refused', refusal)
  const work = planned.items.filter((item) => item.action !== 'keep')
  if (work.length === 0 && modes.to === null && git.work.length === 0) {
    endWithoutWork(context, request, prepared)
    const lost = lossText(planned.items)
    return lost === '' ? resultOf(plan, 'nothing-to-do', '') : resultOf(plan, 'refused', lost)
  }
  return writePlan(context, { ...options, patience }, prepared, { plan, work })
}

interface Work {
  readonly plan: RestorePlan
  /** Its items that change something. */
  readonly work: Prepared['planned']['items']
}

/** From the guard on: what will be replaced is stored, the plan is applied, and what happened is recorded. */
async function writePlan(
  context: RestoreContext,
  options: RestoreOptions & { readonly patience: Patience },
  { input, files, modes, git, recovered }: Prepared,
  { plan, work }: Work
): Promise<RestoreResult> {
  const { store } = context
  const { request, patience } = options
  if (git.work.length > 0) await context.gitPart.waitForGit(git.work)
  const stored = await storeReplacedContent(context, work, patience)
  await storeSentContent(store, input, work)
  using task = beginTask()
  const { id, items } = transact(store, (tx) => {
    const heads = refuseIfStale(tx, work, stored, recovered)
    options.onJournal?.(tx)
    const { owner } = task
    const journal = { input, request, plan: plan.plan, files, modes, work, git: git.work, heads, owner }
    return writeJournal(tx, context, journal)
  })
  const guard = findRestore(store, id)?.guard ?? ''
  const createsFolder = items.length > 0 && isFolderDeleted(context)
  context.notifyChanged(['restores', 'status'])
  const writes = createGitWrites(context, git, options.point)
  const applying = { ...options, createsFolder, beforeChanges: writes.beforeFiles }
  const outcome = await runJournaled(context, applying, id, items, async (applied) => {
    await writes.afterFiles()
    const git = writes.result()
    return transact(store, (tx) => recordRestore(tx, { id, at: context.now(), input, items, applied, git, recovered }))
  })
  if ('refusal' in outcome) return { ...resultOf(plan, 'refused', outcome.refusal), restore: id, guard }
  await recheckDoubtful(context, outcome.applied)
  context.notifyChanged(
    ['edits', 'restores', 'checkpoints', 'drift', 'runs', 'status', 'sessions'],
    work.map((item) => item.path).slice(0, MOST_NOTIFIED_PATHS)
  )
  const conversation = conversationResult(context, input.finishes ?? id, modes)
  const result = resultOf(plan, outcome.state, '', outcome.applied)
  const warnings = outcome.supportsModes ? plan.warnings : [...plan.warnings, { code: 'no-permissions' } as const]
  return { ...result, restore: id, guard, warnings, conversation, git: writes.result().outcomes }
}

const MOST_NOTIFIED_PATHS = 200

/** Paths that failed, or have a note, may differ from the log now: they are compared while the lock is still held. */
async function recheckDoubtful(context: RestoreContext, applied: readonly AppliedItem[]): Promise<void> {
  const doubtful = applied.filter((item) => item.result !== 'done' || item.reason !== null)
  if (doubtful.length === 0) return
  await recheckPaths(
    context,
    doubtful.map(({ path }) => path)
  )
}

/** [RS-8] */
function refuseWhileLive({ store }: RestoreContext): void {
  const live = busyRuns(store)
  if (live.length === 0) return
  throw new DriftlineError(
    'RunIsLive',
    `"${live[0]?.name}" is still running here and may overwrite restored files. Nothing was written. Wait until it ends.`,
    { runs: live.map((run) => run.id) }
  )
}

/** Why an undo of a run is refused: by default every conflict needs a decision. "" when it is not. */
function refuseUndecided({ request, resolutions }: RestoreOptions, plan: RestorePlan): string {
  if (request.kind !== 'undo-run' || (request.onConflict ?? 'fail') !== 'fail') return ''
  const undecided = plan.conflicts.filter((conflict) => resolutions[conflict.path] === undefined).length
  if (undecided === 0) return ''
  return `Others changed ${undecided === 1 ? '1 file' : `${undecided} files`} after this run. Nothing was written. Choose keep, merge or replace.`
}

/** Nothing to write: interrupted restores end, and an undo or redo that can never do anything leaves the undo stack. */
function endWithoutWork(context: RestoreContext, request: RestoreRequest, prepared: Prepared): void {
  const { store } = context
  const { input, planned, recovered } = prepared
  // If a conflict offers more than keep, the same undo may still be requested with replace or merge.
  const exhausted =
    (request.kind === 'undo' || request.kind === 'redo') &&
    planned.conflicts.every((conflict) => conflict.choices.length === 1)
  transact(store, (tx) => {
    endRecovered(tx, recovered, input, 'done')
    if (exhausted) supersede(tx, input.target)
  })
  if (exhausted) context.notifyChanged(['restores', 'checkpoints', 'status'])
}

type Outcome =
  | { readonly applied: AppliedItem[]; readonly state: RestoreState; readonly supportsModes: boolean }
  | { readonly refusal: string }

/**
 * Applies the items and records the result. An error before the first visible change closes the journal as refused.
 * After it, or when a temporary file could not be removed, the journal stays open until the restore is finished or
 * undone.
 */
async function runJournaled(
  { store, root, notifyChanged }: RestoreContext,
  options: RestoreOptions & { patience: Patience; createsFolder: boolean; beforeChanges: GitWrites['beforeFiles'] },
  id: string,
  items: readonly ApplyItem[],
  record: (applied: AppliedItem[]) => Promise<RestoreState>
): Promise<Outcome> {
  const keepJournalOpen = (): void => {
    try {
      transact(store, (tx) => markInterrupted(tx, id))
    } catch (error) {
      // Its task ends, which says the same. What interrupted the restore must be reported.
      log.error(`the restore ${id} could not be marked as interrupted`, error)
    }
    notifyChanged(['restores', 'status'])
  }
  let removeFolder = (): void => {}
  let state: ApplyState | null = null
  try {
    if (options.createsFolder) removeFolder = createMissingFolder(store, root)
    const { content } = readingAhead(store, contentsOf(items))
    state = createState({
      root,
      restore: id,
      items,
      content: ({ after }, take) => content.stream(after.content as number, take, after.size),
      progress: createProgress(items.length, (phase, done, path) =>
        options.progress(id, phase, done, items.length, path)
      ),
      beforeChanges: options.beforeChanges,
      patience: options.patience,
      point: options.point
    })
    const applied = await applyPlan(state)
    if (state.leftover) keepJournalOpen()
    return {
      applied,
      supportsModes: state.supportsModes,
      state: state.leftover ? 'interrupted' : await record(applied)
    }
  } catch (error) {
    if (state?.committed || state?.leftover) {
      keepJournalOpen()
      throw interruptedError(root, error)
    }
    removeFolder()
    transact(store, (tx) => endRestore(tx, id, 'refused', []))
    if (isUnreadable(error)) return { refusal: `Couldn't read the folder: ${fsErrorText(error)}. Nothing was changed.` }
    if (error instanceof DriftlineError && error.code === 'Refused') return { refusal: error.message }
    throw error
  }
}

function interruptedError(root: string, error: unknown): unknown {
  if (!isUnreadable(error)) return error
  return new DriftlineError(
    'FolderMissing',
    `The restore was interrupted: couldn't read ${root} (${fsErrorText(error)}). Nothing is lost. When the folder is readable again, finish or undo the restore (driftline recover finish | undo).`,
    { folder: root }
  )
}

/** `applied`: the items that were written, or failed; none when nothing was. */
function resultOf(plan: RestorePlan, state: RestoreState, refusal: string, applied: AppliedItem[] = []): RestoreResult {
  const byPath = new Map(applied.map((item) => [item.path, item]))
  const items = plan.items.map((item): ItemOutcome => {
    const done = byPath.get(item.path)
    const result = done?.result ?? (item.action === 'keep' ? 'kept' : 'skipped')
    return { ...item, result, ...(done?.reason ? { reason: done.reason } : {}) }
  })
  const { conflicts, warnings } = plan
  const git = plan.git.flatMap((item) => (item.chosen ? [{ ...item, result: 'skipped' } as const] : []))
  return { restore: '', state, guard: '', items, conflicts, warnings, refusal, conversation: null, git }
}
