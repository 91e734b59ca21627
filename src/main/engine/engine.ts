/** The engine: everything behind the contract. It knows neither Electron nor HTTP; calls go in, events come out. */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { EngineEvents, EventName, Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { isMethod } from '../../contract/params.ts'
import { parseParams } from '../../contract/parse-params.ts'
import type { EventFrame } from '../../contract/wire.ts'
import { watchSpool } from './agents/spool.ts'
import { backUpAfterRuns } from './back-up-after-runs.ts'
import { removeLeftPositions } from './bisect/position-folders.ts'
import { createSearches } from './bisect/searches.ts'
import { createBundleFiles } from './bundles/bundle-files.ts'
import type { EngineContext, EngineOptions } from './context.ts'
import { createEventBacklog } from './event-backlog.ts'
import { connectContextOf, ingestSpool, refreshLauncher } from './handlers/agents.ts'
import { HANDLERS } from './handlers/table.ts'
import { systemClock } from './ports/clock.ts'
import { log, setLogLevel } from './ports/log.ts'
import { coverageState } from './store/coverage.ts'
import { openReview } from './workspaces/open-review.ts'
import { openWorkspace } from './workspaces/open-workspace.ts'
import { createRecordedWorktrees } from './workspaces/recorded-worktrees.ts'
import { createRegistry, type Registry } from './workspaces/registry.ts'
import { finishHistoryDeletions } from './workspaces/remove-history.ts'
import { createWatchingSwitch } from './workspaces/watched-folder.ts'
import type { OpenWorkspace } from './workspaces/workspace.ts'

type EventListener = (event: EventName, payload: unknown, place?: EventPlace) => void
type EventPlace = Required<Pick<EventFrame, 'stream' | 'n'>>

export interface Engine {
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  /** For frames from outside: checks the method and its params. Throws Usage for anything not in the contract. */
  callUntyped(method: string, params: unknown): Promise<unknown>
  on<E extends EventName>(event: E, listener: (payload: EngineEvents[E]) => void): () => void
  /** `place` is absent for events without a number. */
  onAny(listener: EventListener): () => void
  /** Sends an event of another machine to every channel, with a number as those of this engine. */
  emit: EngineContext['emit']
  close(): Promise<void>
}

export async function createEngine(options: EngineOptions): Promise<Engine> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  finishHistoryDeletions(options.dataDir)
  const clock = options.clock ?? systemClock
  const home = options.home ?? homedir()
  const listeners = new Set<EventListener>()
  const backlog = createEventBacklog()
  const emit: EngineContext['emit'] = (event, payload) => {
    const n = backlog.add(event, payload)
    const place = n === null ? undefined : { stream: backlog.stream, n }
    for (const listener of [...listeners]) listener(event, payload, place)
  }
  const watching = createWatchingSwitch(options)
  const { dataDir, freeBytes, programs } = options
  const common = { home, clock, ingestProgram: programs.ingest, freeBytes, emit }
  const registry = createRegistry(
    dataDir,
    (opening) =>
      openWorkspace({
        ...{ ...opening, ...common, dataDir },
        watching: watching.now(),
        bundle: (id) => registry.reviews.open(id).store,
        onGitChange: (open) => alignWorktrees(open),
        filesOfWorktree: (open, worktree) => worktrees.filesFor(open, worktree),
        revive: (open) => worktrees.revive(open)
      }),
    (workspace, folder) => openReview({ ...common, workspace, folder, setting: (key) => registry.setting(key) })
  )
  const worktrees = createRecordedWorktrees(registry, {
    dataDir,
    home,
    now: () => clock.now(),
    onListChanged: () => emit('workspaces.changed', {})
  })
  const alignWorktrees = (open: OpenWorkspace): void => {
    // A process that records nothing by itself leaves worktrees to the one that does.
    if (options.watch && !isClosing) worktrees.request(mainOf(registry, open))
  }
  let isClosing = false
  setLogLevel(registry.setting('log.level'))
  const unrecorded = new Set<string>()
  const bundles = createBundleFiles(join(dataDir, 'transfer'), () => clock.now())
  const context: EngineContext = {
    ...{ options, clock, home, registry, worktrees, bundles, watching, backlog, unrecorded, emit },
    searches: null,
    backup: null
  }
  if (options.watch) {
    context.backup = backUpAfterRuns(context, listeners)
    context.searches = createSearches({
      cli: connectContextOf(context).cli,
      dataDir,
      now: () => clock.now(),
      onChanged: (id) =>
        registry
          .opened()
          .find(({ workspace }) => workspace.id === id)
          ?.notifyChanged(['searches'])
    })
    openRecordedFolders(registry)
    registry.reviews.deleteOld(clock.now())
    for (const open of registry.opened()) alignWorktrees(open)
    listeners.add((event, payload) => {
      if (event === 'settings.changed' && (payload as EngineEvents['settings.changed']).key.startsWith('git.worktrees'))
        for (const open of registry.opened()) alignWorktrees(open)
    })
    refreshLauncher(context)
    void removeLeftPositions(options.dataDir)
  }
  const spooled = ingestSpool(context)
  // A host starts at once; a command waits, so that it includes all hook events sent before it.
  if (options.watch) {
    const recorded = spooled.catch((error: unknown) => log.error(SPOOL_FAILED, error))
    // After the events: what they changed is theirs. And after the calls that wait for the engine.
    void recorded.then(() =>
      setImmediate(() => {
        if (!isClosing && watching.now() === 'on') compareFolders(registry)
      })
    )
  } else await spooled
  const stopWatching = options.watch ? watchSpool(dataDir, clock, () => ingestSpool(context)) : () => {}

  const call = async (method: Method, params: unknown): Promise<unknown> => {
    const handler = HANDLERS[method] as (context: EngineContext, params: unknown) => unknown
    return handler(context, params)
  }
  return {
    call: (method, params) => call(method, params) as Promise<never>,
    callUntyped: async (method, params) => {
      if (!isMethod(method)) throw new DriftlineError('Usage', `Driftline has no method "${method}".`, { method })
      const parsed = parseParams(method, params)
      if ('wrong' in parsed) throw new DriftlineError('Usage', `${method}: ${parsed.wrong}.`, { method })
      return logged(method, () => call(method, parsed.params))
    },
    on: (event, listener) => {
      const forward = (name: EventName, payload: unknown): void => {
        if (name === event) listener(payload as never)
      }
      listeners.add(forward)
      return () => listeners.delete(forward)
    },
    onAny: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit,
    close: async () => {
      stopWatching()
      isClosing = true
      context.backup?.close()
      await context.searches?.close()
      await worktrees.close()
      // What fails stays in the spool, for the next recorder.
      await ingestSpool(context).catch((error: unknown) => log.error(SPOOL_FAILED, error))
      await registry.close()
    }
  }
}

const SPOOL_FAILED = 'spooled hook events could not be recorded'

/** The folder whose repository the worktree belongs to; any other folder itself. */
function mainOf(registry: Registry, open: OpenWorkspace): OpenWorkspace {
  const main = registry.mainOfWorktree(open.workspace.id)
  return main === null ? open : registry.open(main)
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

/** Logs how long a call took, and errors that no code expects. */
async function logged<T>(method: string, call: () => Promise<T>): Promise<T> {
  // Not `performance`: its first use loads a module, and a command waits for the first call.
  const startedAt = Date.now()
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof DriftlineError)) log.error(`${method} failed`, error)
    throw error
  } finally {
    log.debug(`${method}: ${Date.now() - startedAt} ms`)
  }
}
