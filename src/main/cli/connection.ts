/** The engine of a command: that of the recorder here or on a host, or one in this process. */
import type { Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { FirstCall } from '../host/connect-host.ts'
import { noAnswerError } from '../host/hold-data-dir.ts'
import { hostNamed } from '../remote/host-files.ts'
import type { Given, Invocation } from './invocation.ts'
import { clientOf, type OpenedClient, openClient, type Patience, silentRecorder } from './open-client.ts'

/** Methods that only read. When the recorder ends during such a call, repeating it is safe. */
const READS: ReadonlySet<Method> = new Set<Method>([
  'host.state',
  'settings.get',
  'workspaces.list',
  'workspaces.find',
  'workspace.status',
  'timeline.list',
  'entry.show',
  'diff.patch',
  'restore.plan',
  'checkpoint.list',
  'drift.list',
  'events.list',
  'file.cat',
  'file.history',
  'file.blame',
  'search.run',
  'export.run',
  'sessions.list',
  'sessions.messages'
])

/** The first call of most commands. It takes as long as one that only proves that the recorder answers, and replaces that. */
const FIRST: Method = 'workspaces.find'

/** Where a connection leads. */
interface Route {
  /** `firstCall` may be made, on each attempt to connect to a recorder here. */
  open(firstCall?: FirstCall): Promise<OpenedClient>
  /** The error to show after a loss when another attempt is pointless; null otherwise. */
  finalError(): Promise<DriftlineError | null>
}

/** To the recorder of this computer, or the engine in this process where there can be none. */
export function routeHere(dataDir: string, { programs, patience, started = null }: Invocation): Route {
  // It has ended where the connection is opened again.
  const early = [started]
  return {
    open: (firstCall) => openClient(dataDir, programs, { patience, firstCall, started: early.pop() }),
    finalError: async () => {
      const silent = await silentRecorder(dataDir, patience)
      return silent && noAnswerError(silent)
    }
  }
}

/** A network stalls for longer than a process does. */
const PATIENCE_OF_HOSTS: Patience = { accept: 0, answer: 0, aliveInterval: 10_000, alive: 20_000 }

/** To the recorder of a host. */
export function routeToHost(dataDir: string, name: string): Route {
  return {
    open: async () => {
      // Imported on demand: other commands do not need it.
      const { openRemote, runWhatIsThere } = await import('../remote/on-demand.ts')
      const opened = await openRemote(dataDir, hostNamed(dataDir, name), {
        printed: 'terminal',
        decide: async (facts) => runWhatIsThere(name, facts)
      })
      return clientOf(opened, PATIENCE_OF_HOSTS)
    },
    finalError: async () => null
  }
}

/** Opened on first use, and one at a time. */
export function createConnection(route: Route) {
  let opened: Promise<OpenedClient> | null = null
  let reconnecting: Promise<void> | null = null

  /** Opens the engine on first use and returns the same client afterwards. */
  const open = (firstCall?: FirstCall): Promise<OpenedClient> => {
    opened ??= route.open(firstCall)
    return opened
  }

  const send = async <M extends Method>(method: M, params: Params<M>): Promise<Result<M>> => {
    let first: Promise<Result<M>> | null = null
    const { client, where } = await open(method === FIRST ? (on) => (first = on.call(method, params)) : undefined)
    // One to a recorder that ended meanwhile has failed.
    return where === 'host' && first ? first : client.call(method, params)
  }

  /** Disconnects from the recorder, or closes the engine of this process. */
  const close = async (): Promise<void> => {
    const opening = opened
    opened = null
    // If it failed to open, the caller of open() already has the error.
    const client = await opening?.catch(() => null)
    await client?.close()
  }

  /** Connects anew after the recorder ended: to its successor, which may have to be started. */
  const reconnect = (): Promise<void> => {
    // Several calls may fail at the same moment; they share one connection.
    reconnecting ??= close().then(() => {
      reconnecting = null
    })
    return reconnecting
  }

  /** The recorder; null where this command is its own. */
  const recorder = async (): Promise<OpenedClient | null> => {
    const client = await open()
    return client.where === 'host' ? client : null
  }

  /** Lets other commands use the history while this one waits, if it is its own recorder. */
  const release = async (): Promise<void> => {
    if ((await opened)?.where === 'in-process') await close()
  }

  const call = async <M extends Method>(method: M, params: Given<Params<M>>): Promise<Result<M>> => {
    try {
      return await send(method, params as Params<M>)
    } catch (error) {
      const isLost = error instanceof DriftlineError && error.code === 'Disconnected'
      if (!isLost) throw error
      const final = await route.finalError()
      if (final) throw final
      if (!READS.has(method)) throw error
      await reconnect()
      return await send(method, params as Params<M>)
    }
  }

  return { open, close, reconnect, release, recorder, call }
}
