/**
 * The connection to one host, which is made again after a loss while a window wants it.
 *
 *   idle --want--> connecting --opened--> connected --lost--> unreachable --after a pause, or retry--> (opened, or again)
 *                       \--failed--> unreachable | needs-update          any --rest--> idle
 */
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { EventOrder } from '../../contract/event-order.ts'
import type { HostPhase, HostPlace } from '../../contract/hosts.ts'
import type { EventFrame } from '../../contract/wire.ts'
import { watchAnswers } from '../host/socket-client.ts'
import { type RemoteHost, updateHost } from './host-files.ts'
import { runWhatIsThere } from './installation.ts'
import { type OpenedHost, openRemote } from './open-remote.ts'
import { createPrintedLines } from './printed-lines.ts'

/** How long the command of a host may take until its recorder answers, unless a person waits for it, ms. */
const CONNECT_LIMIT_MS = 60_000
/** The first is after a loss: the network may be there already. */
const PAUSES_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const
/** A connection that was shorter counts as a failed attempt, ms. */
const SHORTEST_MS = 200
/** A network that drops everything is noticed after both. */
const ALIVE_TERMS = { aliveInterval: 5000, alive: 5000 }

type Decide = Parameters<typeof openRemote>[2]['decide']

/** How a person's attempt differs from those that are made by themselves. */
export interface Attempt {
  readonly decide: Decide
  readonly isNew: boolean
  readonly onPrinted: (printed: string) => void
  readonly signal: AbortSignal
}

type ConnectionFacts = Pick<HostPlace, 'since' | 'reason' | 'outdated' | 'clock'>

interface Surroundings {
  readonly dataDir: string
  readonly order: EventOrder
  readonly onEvent: (frame: EventFrame) => void
  /** The first calls of each new connection, beside the one for missed events; it counts as connected after them. */
  readonly greet: (client: Client) => Promise<void>
  /** `complete`: every event since the last connection was delivered. */
  readonly onConnected: (client: Client, complete: boolean) => void
  readonly onLost: () => void
  /** The phase changed. */
  readonly changed: () => void
}

export function createFarConnection(initial: RemoteHost, surroundings: Surroundings) {
  const { name } = initial
  const { dataDir, order, changed } = surroundings
  const printed = createPrintedLines()
  let stored = initial
  let phase: HostPhase = 'idle'
  let facts: ConnectionFacts = { since: Date.now(), reason: '', outdated: null, clock: null }
  let opened: OpenedHost | null = null
  let wanted = false
  /** Grows with each attempt and each end, so that what an older one still does counts no more. */
  let attempt = 0
  let failures = 0
  let abort = new AbortController()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let settled = Promise.withResolvers<void>()

  const enter = (next: HostPhase, more: Partial<ConnectionFacts> = {}): void => {
    const since = next === phase ? facts.since : Date.now()
    phase = next
    facts = { ...facts, since, reason: '', outdated: null, ...more }
    changed()
  }

  const open = async ({ decide, isNew, onPrinted, signal }: Attempt): Promise<void> => {
    const mine = ++attempt
    clearTimeout(retryTimer)
    const last = order.position()
    if (last) order.hold()
    const early = Promise.withResolvers<boolean>()
    // The attempt fails with the same, or with the reason for it.
    early.promise.catch(() => {})
    const onText = printed.begin()
    try {
      const found = await openRemote(dataDir, stored, {
        decide,
        isNew,
        signal,
        onOpened: (client) => early.resolve(resumeBeside(surroundings.greet(client), order, client)),
        onEvent: (frame) => mine === attempt && surroundings.onEvent(frame),
        printed: (text) => onPrinted(onText(text))
      })
      const complete = await early.promise
      if (mine !== attempt) return found.disconnect()
      stored = { ...found.host, workspaces: stored.workspaces }
      updateHost(dataDir, stored)
      connected(found, complete)
    } catch (error) {
      if (mine === attempt) failed(error)
      throw error
    } finally {
      if (mine === attempt) settled.resolve()
    }
  }
  const connected = (found: OpenedHost, complete: boolean): void => {
    opened = found
    const since = performance.now()
    const stopWatching = watchAnswers(found, ALIVE_TERMS)
    void found.closed.then(() => {
      stopWatching()
      if (performance.now() - since > SHORTEST_MS) failures = 0
      if (opened === found) lost()
    })
    enter('connected', { clock: found.clock })
    surroundings.onConnected(found.client, complete)
  }
  const lost = (): void => {
    opened = null
    attempt++
    surroundings.onLost()
    enter('unreachable', { reason: `The connection to ${name} was lost.` })
    retryLater()
  }
  const failed = (error: unknown): void => {
    const known = error instanceof DriftlineError ? error : null
    const outdated = known?.data.outdated
    const reason = known?.message ?? String(error)
    failures = Math.max(failures, 1)
    if (outdated === 'near' || outdated === 'far') {
      enter('needs-update', { reason, outdated })
    } else {
      enter('unreachable', { reason })
      retryLater()
    }
  }
  const retryLater = (): void => {
    if (!wanted) return
    retryTimer = setTimeout(connect, PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)])
    retryTimer.unref()
  }
  const connect = (): void => {
    if (!wanted || opened !== null) return
    abort = new AbortController()
    if (phase !== 'unreachable') enter('connecting')
    const signal = AbortSignal.any([abort.signal, timeLimit()])
    const decide: Decide = async (found) => runWhatIsThere(name, found)
    // The phase says why it failed.
    open({ decide, isNew: false, signal, onPrinted: () => {} }).catch(() => {})
  }
  const disconnect = (): void => {
    attempt++
    clearTimeout(retryTimer)
    abort.abort('it was ended')
    opened?.disconnect()
    opened = null
    settled.resolve()
    settled = Promise.withResolvers()
  }

  return {
    state: () => ({ phase, ...facts, printed: printed.text() }),
    stored: (): RemoteHost => stored,
    /** Keeps which folders the host records. */
    setFolders(workspaces: RemoteHost['workspaces']): void {
      stored = { ...stored, workspaces }
      if (opened) updateHost(dataDir, stored)
    },
    client: (): Client | null => opened?.client ?? null,
    /** Resolves when the attempt that is being made has ended. */
    settled: (): Promise<void> => settled.promise,
    /** From now on a window wants it. */
    want(): void {
      wanted = true
      if (phase === 'idle') connect()
    },
    /** Tries at once. */
    retry(): void {
      if (opened !== null || phase === 'connecting') return
      wanted = true
      attempt++
      failures = 0
      abort.abort('it was started again')
      clearTimeout(retryTimer)
      enter('connecting')
      connect()
    },
    /** Connects as a person asked. Fails with what went wrong. */
    async openAs(next: RemoteHost, how: Attempt): Promise<void> {
      disconnect()
      stored = next
      wanted = true
      enter('connecting')
      await open(how)
    },
    /** Nothing wants it any more. */
    rest(): void {
      wanted = false
      disconnect()
      enter('idle')
    },
    /** Ends it for good. */
    close(): void {
      wanted = false
      disconnect()
    }
  }
}

async function resumeBeside(greeting: Promise<void>, order: EventOrder, client: Client): Promise<boolean> {
  const [complete] = await Promise.all([resume(order, client), greeting])
  return complete
}

/** [WR-4] True when every event since the last one was delivered. */
async function resume(order: EventOrder, client: Client): Promise<boolean> {
  const last = order.position()
  if (last === null) return false
  try {
    return order.resume(await client.call('app.resume', last))
  } catch (error) {
    // Usage: a version that keeps no events.
    order.giveUp()
    if (error instanceof DriftlineError && error.code === 'Disconnected') throw error
    return false
  }
}

function timeLimit(): AbortSignal {
  const limit = new AbortController()
  const reason = `it gave no answer within ${CONNECT_LIMIT_MS / 1000} s`
  setTimeout(() => limit.abort(reason), CONNECT_LIMIT_MS).unref()
  return limit.signal
}
