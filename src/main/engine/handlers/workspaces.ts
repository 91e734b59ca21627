/** Adding, finding, moving and removing workspaces: what is refused, and what a person has to confirm first. */
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Method, Params } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { AddResult } from '../../../contract/workspace.ts'
import { missingReason } from '../capture/presence.ts'
import type { EngineContext } from '../context.ts'
import { checkDisk } from '../drift/check.ts'
import { requireDiskSpace } from '../files/disk-space.ts'
import { errorCode } from '../files/fs-errors.ts'
import { unrecordedWorktrees, worktreeContaining } from '../git/git-worktrees.ts'
import { log } from '../ports/log.ts'
import { coverageOf, coverageState } from '../store/coverage.ts'
import { checkFolder } from '../workspaces/check-folder.ts'
import type { Registered } from '../workspaces/recorded-folders.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import { ingestSpool } from './agents.ts'
import { completeFolder, expandFolder, repositoriesNearHome, suggestFolders } from './folder-input.ts'
import type { Handlers } from './handler.ts'
import { summarizeWorkspace } from './workspace-state.ts'

export const WORKSPACES: Handlers<Extract<Method, `workspaces.${string}`>> = {
  'workspaces.list': (context) => ({
    workspaces: listed(context.registry).map((registered) => summarizeWorkspace(context, registered)),
    left: context.registry.removed(),
    bundles: context.registry.reviews.list()
  }),
  'workspaces.add': add,
  'workspaces.stopCopy': ({ registry }, { workspace }) => {
    registry.open(workspace).stopInitialSnapshot()
    return {}
  },
  'workspaces.remove': async (context, { workspace, deleteHistory }) => {
    const { registry, emit, clock } = context
    // Spooled events are part of the history that is kept.
    await ingestSpool(context)
    await registry.remove(workspace, clock.now(), { deleteHistory })
    emit('workspaces.changed', {})
    return {}
  },
  'workspaces.locate': async (context, { workspace, folder }) => {
    const { registry, emit } = context
    const root = await checkedFolder(context, folder, { confirmed: true })
    const isTaken = registry.list().some((registered) => registered.root === root && registered.id !== workspace)
    if (isTaken) {
      const message = `${root} is already recorded and has its own history. Nothing was changed. Stop recording it first.`
      throw new DriftlineError('Refused', message, { folder: root })
    }
    const moved = await registry.relocate(workspace, root)
    registry.open(moved.id)
    emit('workspaces.changed', {})
    return { workspace: { id: moved.id, root: moved.root, name: moved.name } }
  },
  'workspaces.confirmList': ({ registry, emit }) => {
    registry.confirmRebuiltList()
    emit('workspaces.changed', {})
    return {}
  },
  'workspaces.find': ({ registry }, { folder }) => {
    // The path as typed, too: a recorded folder that is missing has no real path.
    const found = registry.findContaining(realPath(folder)) ?? registry.findContaining(resolve(folder))
    if (!found)
      throw new DriftlineError(
        'NotAWorkspace',
        `${folder} is not inside a recorded folder. Run "driftline add" on the project folder first.${movedHint(registry)}`,
        { folder }
      )
    const { id, root, name } = found.workspace
    const worktree = worktreeContaining(root, found.inside)
    if (worktree !== null)
      throw new DriftlineError(
        'NotAWorkspace',
        `${join(root, worktree)} is a git worktree, which has its own history, and is not recorded yet. Run "driftline add" there first.`,
        { folder }
      )
    return { workspace: { id, root, name }, inside: found.inside }
  },
  'workspaces.suggest': async ({ registry, home }, { name, children }) => {
    const recorded = registry.list().map(({ root }) => root)
    return { folders: await suggestFolders(recorded, home, name, children) }
  },
  'workspaces.complete': async ({ home, registry }, { prefix }) => ({
    folders:
      prefix === ''
        ? await repositoriesNearHome(
            home,
            registry.list().map(({ root }) => root)
          )
        : await completeFolder(home, prefix)
  })
}

/** Recorded folders, and removed worktrees that have files which are nowhere else. */
function listed(registry: Registry): Registered[] {
  return [...registry.list(), ...registry.removedWorktrees()]
}

const MAX_MISSING_NAMED = 3

/**
 * A folder that was moved is missing at its old path: names such folders, so that the person can move their history.
 */
function movedHint(registry: Registry): string {
  const missing = registry.list().filter(({ root }) => missingReason(root, null) !== null)
  if (missing.length === 0) return ''
  const named = missing.slice(0, MAX_MISSING_NAMED).map(({ root }) => root)
  return ` If it moved here, run "driftline locate OLD NEW"; missing: ${named.join(', ')}.`
}

/** The real path of a typed folder. Throws if it cannot be recorded, or only after a confirmation. */
function checkedFolder(
  { options, home }: EngineContext,
  folder: string,
  { confirmed }: { readonly confirmed: boolean }
): Promise<string> {
  return checkFolder(expandFolder(home, folder), { home, dataDir: options.dataDir, confirmed })
}

async function add(context: EngineContext, params: Params<'workspaces.add'>): Promise<AddResult> {
  const { registry, emit, clock } = context
  const root = await checkedFolder(context, params.folder, { confirmed: params.confirmed ?? false })
  const registered = registry.register(root, clock.now())
  const open = openOrStartAnew(registry, registered.id, params.confirmed ?? false)
  emit('workspaces.changed', {})
  const recording = recordCurrentFiles(open)
  if (params.wait) await recording
  else {
    recording.catch((error: unknown) => {
      // Stopped by a person or because the host closes: the coverage shows it, and the next start continues.
      if (error instanceof DriftlineError && error.code === 'Cancelled') return
      log.error(`${root} could not be recorded completely`, error)
    })
  }
  return {
    workspace: open.workspace,
    ...coverageOf(open, open.repositories.unkept()),
    head: open.store.records.lastSeq(),
    worktrees: unrecordedWorktrees(root, registry.list()),
    complete: coverageState(open.store) === 'complete'
  }
}

/** With `confirmed`, a lost history is given up (ST-3). */
function openOrStartAnew(registry: Registry, id: string, confirmed: boolean): OpenWorkspace {
  try {
    return registry.open(id)
  } catch (error) {
    if (!confirmed || !(error instanceof DriftlineError) || error.code !== 'HistoryLost') throw error
    registry.forgetLostHistory(id)
    return registry.open(id)
  }
}

/** The initial snapshot, or a scan if it was completed before. */
async function recordCurrentFiles(open: OpenWorkspace): Promise<void> {
  if (coverageState(open.store) !== 'complete') return open.takeInitialSnapshot()
  requireDiskSpace(open.space, 'The folder was not compared.')
  await open.lock.run(() => checkDisk(open, 'position'))
}

function realPath(path: string): string {
  try {
    // The native one: it resolves short names of Windows (PROGRA~1), which a watcher reports in their long form.
    return realpathSync.native(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return resolve(path)
  }
}
