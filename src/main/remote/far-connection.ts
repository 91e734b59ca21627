/**
 * The connection to one host, which is made again after a loss while a window wants it.
 *
 *   idle --want--> connecting --opened--> connected --lost--> unreachable --after a pause, or retry--> (opened, or again)
 *                       \--failed--> unreachable | needs-update          any --rest--> idle
 */
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { EventOrder } from '../../contract/event-order.ts'
import type { EventFrame } from '../../contract/wire.ts'
import { watchAnswers } from '../host/socket-client.ts'
import { createAttempts, createRetries } from './attempts.ts'
import { connectAndResume } from './connect-and-resume.ts'
import type { RemoteHost } from './host-files.ts'
import { createHostPhase } from './host-phase.ts'
import { runWhatIsThere } from './installation.ts'
import type { OpenedHost, OpenOptions } from './open-remote.ts'
import { createPrintedLines } from './printed-lines.ts'
import { createStoredHost } from './stored-host.ts'

/** How long the command of a host may take until its recorder answers, unless a person waits for it, ms. */
const CONNECT_LIMIT_MS = 60_000
/** A connection that was shorter counts as a failed attempt, ms. */
const SHORTEST_MS = 200
/** A network that drops everything is noticed after both. */
const ALIVE_TERMS = { aliveInterval: 5000, alive: 5000 }

/** How a person's attempt differs from those that are made by themselves. */
export interface Attempt extends Required<Pick<OpenOptions, 'decide' | 'isNew' | 'signal'>> {
  readonly onPrinted: (printed: string) => void
}

interface Surroundings {
  readonly dataDir: string
  readonly order: EventOrder
  readonly onEvent: (frame: EventFrame) => void
  readonly greet: (client: Client) => Promise<void>
  /** `complete`: every event since the last connection was delivered. */
  readonly onConnected: (client: Client, complete: boolean) => void
  readonly onLost: () => void
  /** The phase changed. */
  readonly changed: () => void
}

export function createFarConnection(initial: RemoteHost, surroundings: Surroundings) {
  const { name } = initial
  const { dataDir, order, greet, onEvent } = surroundings
  const printed = createPrintedLines()
  const phase = createHostPhase(surroundings.changed)
  const attempts = createAttempts()
  const retries = createRetries()
  const stored = createStoredHost(dataDir, initial)
  let opened: OpenedHost | null = null
  let wanted = false
  let abort = new AbortController()

  const open = async ({ onPrinted, ...terms }: Attempt): Promise<void> => {
    const attempt = attempts.begin()
    const onText = printed.begin()
    try {
      const { opened: found, complete } = await connectAndResume(dataDir, stored.now(), {
        ...terms,
        order,
        greet,
        onEvent: (frame) => attempt.isCurrent() && onEvent(frame),
        printed: (text) => onPrinted(onText(text))
      })
      if (attempt.isCurrent()) connected(found, complete)
      else found.disconnect()
    } catch (error) {
      if (attempt.isCurrent()) failed(error)
      throw error
    } finally {
      attempt.end()
    }
  }
  const connected = (found: OpenedHost, complete: boolean): void => {
    opened = found
    stored.save({ ...found.host, workspaces: stored.now().workspaces })
    const since = performance.now()
    const stopWatching = watchAnswers(found, ALIVE_TERMS)
    void found.closed.then(() => {
      stopWatching()
      if (performance.now() - since > SHORTEST_MS) retries.reset()
      if (opened === found) lost()
    })
    phase.enter('connected', { clock: found.clock })
    surroundings.onConnected(found.client, complete)
  }
  const lost = (): void => {
    opened = null
    attempts.drop()
    surroundings.onLost()
    phase.enter('unreachable', { reason: `The connection to ${name} was lost.` })
    if (wanted) retries.afterLoss(connect)
  }
  const failed = (error: unknown): void => {
    const known = error instanceof DriftlineError ? error : null
    const outdated = known?.data.outdated
    const reason = known?.message ?? String(error)
    if (outdated === 'near' || outdated === 'far') {
      phase.enter('needs-update', { reason, outdated })
    } else {
      phase.enter('unreachable', { reason })
      if (wanted) retries.afterFailure(connect)
    }
  }
  const connect = (): void => {
    if (!wanted || opened !== null) return
    if (phase.name() !== 'unreachable') phase.enter('connecting')
    const mine = new AbortController()
    abort = mine
    const limit = setTimeout(
      () => mine.abort(`it gave no answer within ${CONNECT_LIMIT_MS / 1000} s`),
      CONNECT_LIMIT_MS
    )
    limit.unref()
    open({
      decide: async (found) => runWhatIsThere(name, found),
      isNew: false,
      signal: mine.signal,
      onPrinted: () => {}
    })
      // The phase says why it failed.
      .catch(() => {})
      .finally(() => clearTimeout(limit))
  }
  /** `reason`: why an attempt that is being made ends. */
  const disconnect = (reason: string): void => {
    attempts.drop()
    retries.cancel()
    abort.abort(reason)
    opened?.disconnect()
    opened = null
  }

  return {
    state: () => ({ ...phase.state(), printed: printed.text() }),
    stored: stored.now,
    /** Which folders the host records; stored once it is connected. */
    setFolders(workspaces: RemoteHost['workspaces']): void {
      const host = { ...stored.now(), workspaces }
      if (opened) stored.save(host)
      else stored.set(host)
    },
    client: (): Client | null => opened?.client ?? null,
    /** Resolves when no attempt is being made. */
    settled: attempts.settled,
    /** From now on a window wants it. */
    want(): void {
      wanted = true
      if (phase.name() === 'idle') connect()
    },
    /** Tries at once. */
    retry(): void {
      if (opened !== null || phase.name() === 'connecting') return
      wanted = true
      retries.reset()
      disconnect('it was started again')
      phase.enter('connecting')
      connect()
    },
    /** Connects as a person asked. Fails with what went wrong. */
    async openAs(next: RemoteHost, how: Attempt): Promise<void> {
      disconnect('it was ended')
      stored.set(next)
      wanted = true
      phase.enter('connecting')
      await open(how)
    },
    /** Nothing wants it any more. */
    rest(): void {
      wanted = false
      disconnect('it was ended')
      phase.enter('idle')
    },
    /** Ends it for good. */
    close(): void {
      wanted = false
      disconnect('it was ended')
    }
  }
}
