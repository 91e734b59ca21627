/** Prepares a restore, for its preview and before it is performed: the steps settle, check and plan of perform.ts. */
import { dirname } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { PlanWarning, Resolutions, RestorePlan, RestoreRequest } from '../../../contract/restore.ts'
import { requireFolder, wasFolderDeleted } from '../capture/presence.ts'
import { recordDamage } from '../checkpoints/damage.ts'
import { checkDisk, recordDeletedFolder } from '../drift/check.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import { requireDiskSpace } from '../files/disk-space.ts'
import { createPatience, type Patience } from '../files/in-use.ts'
import { isWithinAny } from '../files/paths.ts'
import { foldOf } from '../files/spelling.ts'
import { busyRuns } from '../runs/run-state.ts'
import { holdsFiles } from '../store/paths.ts'
import { blockingRestore, type UnfinishedRestore, unfinishedRestores } from '../store/restores.ts'
import { readTogether } from '../store/sql.ts'
import { toFileVersion } from '../store/versions.ts'
import { type ModePlan, planConversation } from './conversation.ts'
import { type GitPlan, planGit } from './git-part.ts'
import { pathsOfBundle } from './inputs/apply-bundle.ts'
import { readInput, sourcesOf } from './inputs/read-input.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { planRestore } from './plan.ts'
import { hashPlan } from './plan-hash.ts'
import type { Planned } from './plan-items.ts'
import { type ChangedFile, changedFiles, elsewhereWarnings, fileWarnings } from './plan-warnings.ts'
import type { RestoreContext } from './restore-context.ts'
import { settleInterrupted } from './settle.ts'
import { findDamaged } from './written-contents.ts'

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

/** What a preview shows and a restore performs. */
export interface Prepared {
  readonly input: RequestInput
  readonly planned: Planned
  readonly files: readonly ChangedFile[]
  readonly modes: ModePlan
  readonly git: GitPlan
  /** Interrupted restores that were settled and end with this request. */
  readonly recovered: readonly string[]
}

/** Settles, checks and plans, inside the lock. Throws what keeps a restore from being planned; nothing was written then. */
export async function prepare(
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
  const isBeyond = (path: string): boolean => isWithinAny(path, context.boundaries)
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
  const planned = readTogether(store, () => planRestore(input))
  const damaged = await findDamaged(store, planned.items)
  if (!recordDamage(store, damaged))
    return {
      input,
      planned,
      files: changedFiles(context.root, planned.items),
      modes,
      git: planGit(context, request, requested),
      recovered
    }
  context.notifyChanged(['checkpoints'])
  return prepare(context, request, resolutions, patience)
}

/** [RS-19] A folder that was deleted is created again, so its files must be recorded as deleted. */
async function requireFolderOrDeletion(context: RestoreContext): Promise<void> {
  await recordDeletedFolder(context)
  if (!isFolderDeleted(context)) requireFolder(context, 'nothing was written.')
}

/** The folder was deleted, and that is recorded. */
export function isFolderDeleted(context: RestoreContext): boolean {
  return !holdsFiles(context.store) && wasFolderDeleted(context)
}

function unfinishedRestoreError({ id, abandoned }: UnfinishedRestore): DriftlineError {
  const message = abandoned
    ? 'A restore was interrupted. Nothing was written. Finish or undo it first (driftline recover finish | undo).'
    : 'Another restore is running. Nothing was written. Retry when it is done.'
  return new DriftlineError('Refused', message, { restore: id })
}

/** The plan as a client gets it; its hash names what was shown. */
export function toRestorePlan(context: RestoreContext, request: RestoreRequest, prepared: Prepared): RestorePlan {
  const { input, planned, files, modes, git } = prepared
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
      ...fileWarnings(context, input, planned.items, files)
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
