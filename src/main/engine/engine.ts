/** The engine: everything behind the contract. It knows neither Electron nor HTTP; calls go in, events come out. */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { isMethod } from '../../contract/params.ts'
import { parseParams } from '../../contract/parse-params.ts'
import { createBundleFiles } from './bundles/bundle-files.ts'
import type { EngineContext, EngineOptions } from './context.ts'
import { createEventEmitter, type EventEmitter } from './event-emitter.ts'
import { ingestSpool } from './handlers/agents.ts'
import { HANDLERS } from './handlers/table.ts'
import { systemClock } from './ports/clock.ts'
import { log, setLogLevel } from './ports/log.ts'
import { logSpoolFailure, startRecording } from './recording.ts'
import { openReview } from './workspaces/open-review.ts'
import { openWorkspace } from './workspaces/open-workspace.ts'
import { createRecordedWorktrees } from './workspaces/recorded-worktrees.ts'
import { createRegistry } from './workspaces/registry.ts'
import { finishHistoryDeletions } from './workspaces/remove-history.ts'
import { createWatchingSwitch } from './workspaces/watched-folder.ts'

/** `emit` sends an event of another machine to every channel, with a number as those of this engine. */
export interface Engine extends Pick<EventEmitter, 'on' | 'onAny' | 'emit'> {
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  /** For frames from outside: checks the method and its params. Throws Usage for anything not in the contract. */
  callUntyped(method: string, params: unknown): Promise<unknown>
  close(): Promise<void>
}

export async function createEngine(options: EngineOptions): Promise<Engine> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  finishHistoryDeletions(options.dataDir)
  const events = createEventEmitter()
  const context = createContext(options, events)
  const { registry, worktrees } = context
  setLogLevel(registry.setting('log.level'))
  const recording = options.watch ? startRecording(context, events) : null
  // A host starts at once; a command waits, so that it includes all hook events sent before it.
  if (!recording) await ingestSpool(context)

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
    on: events.on,
    onAny: events.onAny,
    emit: events.emit,
    close: async () => {
      recording?.close()
      context.backup?.close()
      await Promise.all([context.searches?.close(), worktrees.close()])
      // What fails stays in the spool, for the next recorder.
      await ingestSpool(context).catch(logSpoolFailure)
      await registry.close()
    }
  }
}

/** Composes what the handlers use. */
function createContext(options: EngineOptions, { emit, backlog }: EventEmitter): EngineContext {
  const { dataDir, freeBytes, programs, shareStats, clock = systemClock, home = homedir() } = options
  const { ingest: ingestProgram, fileHelper } = programs
  const now = (): number => clock.now()
  const watching = createWatchingSwitch(options)
  const common = { home, clock, ingestProgram, fileHelper, shareStats, freeBytes, emit }
  const registry = createRegistry(
    dataDir,
    (opening) =>
      openWorkspace({
        ...{ ...opening, ...common, dataDir },
        watching: watching.now(),
        bundle: (id) => registry.reviews.open(id).store,
        // A process that records nothing by itself leaves worktrees to the one that does.
        onGitChange: (open) => options.watch && worktrees.request(open),
        filesOfWorktree: (open, worktree) => worktrees.filesFor(open, worktree),
        revive: (open) => worktrees.revive(open)
      }),
    (workspace, folder) => openReview({ ...common, workspace, folder, setting: (key) => registry.setting(key) })
  )
  const worktrees = createRecordedWorktrees(registry, {
    ...{ dataDir, home, now },
    onListChanged: () => emit('workspaces.changed', {})
  })
  return {
    ...{ options, clock, home, registry, worktrees, watching, backlog, emit },
    bundles: createBundleFiles(join(dataDir, 'transfer'), now),
    unrecorded: new Set(),
    searches: null,
    backup: null
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
