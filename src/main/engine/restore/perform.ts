/**
 * Plans and performs restores, under the workspace's lock. In this order:
 *
 *   settle    an interrupted restore's writes become edits (RS-7)
 *   check     the disk is compared with the log (CK-2), so that the plan's "now" is the disk
 *   plan      pure (RS-1)
 *   guard     what will be replaced is stored (RS-9)
 *   journal   guard checkpoint and items become durable (RS-3)
 *   apply     the files are written (RS-4, RS-5)
 *   git       chosen items of git's own state are written (GT-7); a `.git` that is to go went before the files
 *   record    the restore's edits are appended, and the journal is closed
 */
import { dirname } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type {
  ItemOutcome,
  PlanWarning,
  Resolutions,
  RestorePlan,
  RestoreRequest,
  RestoreResult,
  RestoreState
} from '../../../contract/restore.ts'
import { lossText } from '../../../contract/words/plan.ts'
import { requireFolder, wasFolderDeleted } from '../capture/presence.ts'
import { recordDamage } from '../checkpoints/damage.ts'
import { checkDisk, recheckPaths, recordDeletedFolder } from '../drift/check.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import { requireDiskSpace } from '../files/disk-space.ts'
import { isUnreadable } from '../files/fs-errors.ts'
import { createPatience, type Patience } from '../files/in-use.ts'
import { isWithin } from '../files/paths.ts'
import { foldOf } from '../files/spelling.ts'
import { busyRuns } from '../runs/run-state.ts'
import { readingAhead } from '../store/content-rows-ahead.ts'
import { holdsFiles } from '../store/paths.ts'
import {
  blockingRestore,
  findRestore,
  markInterrupted,
  setRestorePhase,
  type UnfinishedRestore,
  unfinishedRestores
} from '../store/restores.ts'
import { transact } from '../store/sql.ts'
import { type StoredVersion, toFileVersion } from '../store/versions.ts'
import { applyPlan } from './apply.ts'
import { type AppliedItem, type ApplyItem, type ApplyPoint, type ApplyState, createState } from './apply-state.ts'
import { conversationResult, type ModePlan, planConversation } from './conversation.ts'
import { fsErrorText } from './fs-error-reason.ts'
import { createGitWrites, type GitPlan, type GitWrites, planGit } from './git-part.ts'
import { refuseIfStale, storeReplacedContent, storeSentContent, writeJournal } from './guard.ts'
import { pathsOfBundle } from './inputs/apply-bundle.ts'
import { readInput, sourcesOf } from './inputs/read-input.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { createMissingFolder } from './missing-folder.ts'
import { planRestore } from './plan.ts'
import { hashPlan } from './plan-hash.ts'
import type { Planned } from './plan-items.ts'
import { elsewhereWarnings, fileWarnings } from './plan-warnings.ts'
import { endRecovered, endRestore, recordRestore, supersede } from './record.ts'
import type { RestoreContext } from './restore-context.ts'
import { settleInterrupted } from './settle.ts'
import { contentsOf, findDamaged } from './written-contents.ts'

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
  /** For crash tests. */
  readonly point?: (point: ApplyPoint) => void
}

/** The plan as it would be applied now. Checks the disk first (CK-2). */
export function previewRestore(
  context: RestoreContext,
  request: RestoreRequest,
  resolutions: Resolutions
): Promise<RestorePlan> {
  return context.lock.run(async () => {
    await context.endDeadRuns()
    return toRestorePlan(context, request, await prepare(context, request, resolutions, createPatience()))
  })
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

interface Prepared {
  readonly input: RequestInput
  readonly planned: Planned
  readonly modes: ModePlan
  readonly git: GitPlan
  /** Interrupted restores that were settled and end with this request. */
  readonly recovered: readonly string[]
}

async function prepare(
  context: RestoreContext,
  request: RestoreRequest,
  resolutions: Resolutions,
  patience: Patience
): Promise<Prepared> {
  const { store } = context
  await requireFolderOrDeletion(context)
  const unfinished = blockingRestore(store)
  if (unfinished && request.kind !== 'recover') throw unfinishedRestoreError(unfinished)
  // Newest first: an interrupted recovery wrote on top of the restore it recovered.
  const recovered = unfinished?.abandoned ? unfinishedRestores(store).map((row) => row.id) : []
  for (const id of recovered) await settleInterrupted(context, id, patience)
  await checkDisk(context, 'position')
  if (request.kind === 'apply') await checkNamedPaths(context, pathsOfBundle(context.bundle(request.bundle), request))
  requireDiskSpace(context.space, 'Nothing was written.')
  const requested = readInput(store, request, resolutions, await sourcesOf(context, request))
  const modes = planConversation(context, request, requested)
  const all = modes.mode === 'conversation' ? { ...requested, paths: [], toSeq: null, warnings: [] } : requested
  const isBeyond = (path: string): boolean => [...context.boundaries].some((boundary) => isWithin(path, boundary))
  // A folder that is created again is on the disk of the folder above.
  const fold = foldOf(isFolderDeleted(context) ? dirname(context.root) : context.root)
  const namesOf = ({ path, move }: RequestInput['paths'][number]): string[] => [path, move?.to ?? path]
  // Never write into a nested workspace or our own data folder.
  const paths = all.paths.filter((named) => !namesOf(named).some(isBeyond))
  const beyond = all.paths.flatMap(namesOf).filter(isBeyond)
  const input = {
    ...all,
    paths,
    warnings: [...all.warnings, ...elsewhereWarnings(context.boundaries, beyond)],
    ...(fold ? { fold } : {})
  }
  const planned = planRestore(input)
  const damaged = await findDamaged(store, planned.items)
  if (!recordDamage(store, damaged))
    return { input, planned, modes, git: planGit(context, request, requested), recovered }
  context.notifyChanged(['checkpoints'])
  return prepare(context, request, resolutions, patience)
}

/** [RS-19] A folder that was deleted is created again, so its files must be recorded as deleted. */
async function requireFolderOrDeletion(context: RestoreContext): Promise<void> {
  await recordDeletedFolder(context)
  if (!isFolderDeleted(context)) requireFolder(context, 'nothing was written.')
}

/** The folder was deleted, and that is recorded. */
function isFolderDeleted(context: RestoreContext): boolean {
  return !holdsFiles(context.store) && wasFolderDeleted(context)
}

function unfinishedRestoreError({ id, abandoned }: UnfinishedRestore): DriftlineError {
  const message = abandoned
    ? 'A restore was interrupted. Nothing was written. Finish or undo it first (driftline recover finish | undo).'
    : 'Another restore is running. Nothing was written. Retry when it is done.'
  return new DriftlineError('Refused', message, { restore: id })
}

function toRestorePlan(context: RestoreContext, request: RestoreRequest, prepared: Prepared): RestorePlan {
  const { input, planned, modes, git } = prepared
  const undoesNothing =
    modes.to === null && git.work.length === 0 && planned.items.every(({ action }) => action === 'keep')
  return {
    plan: hashPlan(request, planned, modes, git),
    act: request.kind,
    target: input.target,
    title: input.title,
    targetAt: input.targetAt,
    items: planned.items.map(({ path, action, note, before, after }) => ({
      path,
      action,
      note,
      before: toFileVersion(before),
      after: toFileVersion(after)
    })),
    conflicts: planned.conflicts,
    warnings: [
      ...input.warnings.filter(({ code }) => !(undoesNothing && ABOUT_WHAT_IS_UNDONE.has(code))),
      ...folderWarnings(context, planned),
      ...modes.warnings,
      ...git.warnings,
      ...fileWarnings(context, input, planned.items)
    ],
    unchanged: planned.unchanged,
    live: busyRuns(context.store).map((run) => ({ run: run.id, title: run.name, agent: run.agent })),
    mode: modes.mode,
    modes: modes.modes,
    conversation: modes.conversation,
    git: git.items
  }
}

const ABOUT_WHAT_IS_UNDONE: ReadonlySet<PlanWarning['code']> = new Set(['undoes-runs', 'all-changes', 'no-call'])

function folderWarnings(context: RestoreContext, { items }: Planned): PlanWarning[] {
  if (items.every(({ action }) => action === 'keep') || !isFolderDeleted(context)) return []
  return [{ code: 'creates-folder', folder: context.root }]
}

async function performLocked(context: RestoreContext, options: RestoreOptions): Promise<RestoreResult> {
  const { store } = context
  const { request, patience = createPatience() } = options
  await context.endDeadRuns()
  if (!options.whileLive) refuseWhileLive(context)
  const prepared = await prepare(context, request, options.resolutions, patience)
  const { input, planned, modes, git, recovered } = prepared
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

  if (git.work.length > 0) await context.gitPart.waitForGit(git.work)
  const stored = await storeReplacedContent(context, work, patience)
  await storeSentContent(store, input, work)
  const { id, items } = transact(store, (tx) => {
    refuseIfStale(tx, work, stored, recovered)
    return writeJournal(tx, context, input, request, plan.plan, modes, work, git.work)
  })
  const guard = findRestore(store, id)?.guard ?? ''
  const createsFolder = items.length > 0 && isFolderDeleted(context)
  context.notifyChanged(['restores', 'status'])
  const writes = createGitWrites(context, git, options.point)
  const applying = { ...options, patience, createsFolder, beforeChanges: writes.beforeFiles }
  const outcome = await runJournaled(context, applying, id, items, async (applied) => {
    await writes.afterFiles()
    return transact(store, (tx) => recordRestore(tx, context.now(), id, input, applied, writes.result(), recovered))
  })
  if ('refusal' in outcome) return { ...resultOf(plan, 'refused', outcome.refusal), restore: id, guard }

  // Paths that failed, or have a note, may differ from the log now: compare them while the lock is still held.
  const doubtful = outcome.applied
    .filter((item) => item.result !== 'done' || item.reason !== null)
    .map(({ path }) => path)
  if (doubtful.length > 0) await recheckPaths(context, doubtful)
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
    transact(store, (tx) => markInterrupted(tx, id))
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
      content: ({ after }, take) => content.stream((after as StoredVersion).content as number, take, after.size),
      progress: (phase, done, path) => options.progress(id, phase, done, items.length, path),
      onCommit: () => transact(store, (tx) => setRestorePhase(tx, id, 'write')),
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
