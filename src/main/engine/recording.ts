/**
 * What the engine of a recorder does by itself: it opens and compares every recorded folder, follows worktrees, records what is
 * in the spool, makes backups and runs searches. That of a command only answers.
 */
import { DriftlineError } from '../../contract/errors.ts'
import { watchSpool } from './agents/spool.ts'
import { backUpAfterRuns } from './back-up-after-runs.ts'
import { removeLeftPositions } from './bisect/position-folders.ts'
import { createSearches, type Searches } from './bisect/searches.ts'
import type { EngineContext } from './context.ts'
import type { EventEmitter } from './event-emitter.ts'
import { connectContextOf, ingestSpool, refreshLauncher } from './handlers/agents.ts'
import { log } from './ports/log.ts'
import { coverageState } from './store/coverage.ts'
import type { Registry } from './workspaces/registry.ts'

export interface Recording {
  /** Starts nothing more. */
  close(): void
}

export function startRecording(context: EngineContext, events: Pick<EventEmitter, 'on'>): Recording {
  const { registry, worktrees, watching, clock } = context
  const { dataDir } = context.options
  let isClosed = false
  context.backup = backUpAfterRuns(context, events)
  context.searches = createContextSearches(context)
  openRecordedFolders(registry)
  registry.reviews.deleteOld(clock.now())
  const followWorktrees = (): void => registry.opened().forEach(worktrees.request)
  followWorktrees()
  events.on('settings.changed', ({ key }) => {
    if (key.startsWith('git.worktrees')) followWorktrees()
  })
  refreshLauncher(context)
  void removeLeftPositions(dataDir)
  const recorded = ingestSpool(context).catch(logSpoolFailure)
  // After the events: what they changed is theirs. And after the calls that wait for the engine.
  void recorded.then(() =>
    setImmediate(() => {
      if (!isClosed && watching.now() === 'on') compareFolders(registry)
    })
  )
  const stopWatching = watchSpool(dataDir, clock, () => ingestSpool(context))
  return {
    close: () => {
      isClosed = true
      stopWatching()
    }
  }
}

export function logSpoolFailure(error: unknown): void {
  log.error('spooled hook events could not be recorded', error)
}

function createContextSearches(context: EngineContext): Searches {
  const { registry, clock, options } = context
  return createSearches({
    cli: connectContextOf(context).cli,
    dataDir: options.dataDir,
    now: () => clock.now(),
    onChanged: (id) =>
      registry
        .opened()
        .find(({ workspace }) => workspace.id === id)
        ?.notifyChanged(['searches'])
  })
}

/** A host records every folder from its start. A damaged or newer store of one folder must not stop the others. */
function openRecordedFolders(registry: Registry): void {
  for (const { id, root } of registry.list()) {
    try {
      registry.open(id)
    } catch (error) {
      if (!(error instanceof DriftlineError)) throw error
      log.error(`${root} is not recorded`, error)
    }
  }
}

/** Each folder's first comparison begins its watch. Whoever calls meanwhile finds it under way. */
function compareFolders(registry: Registry): void {
  for (const { store, lock, root, refresh } of registry.opened()) {
    if (coverageState(store) !== 'complete') continue
    lock.run(() => refresh('present')).catch((error: unknown) => log.error(root, error))
  }
}
