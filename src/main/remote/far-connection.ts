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
import { log } from '../engine/ports/log.ts'
import { watchAnswers } from '../host/socket-client.ts'
import { connectAndResume } from './connect-and-resume.ts'
import { type RemoteHost, updateHost } from './host-files.ts'
import { runWhatIsThere } from './installation.ts'
import type { OpenedHost, OpenOptions } from './open-remote.ts'
import { createPrintedLines } from './printed-lines.ts'

/** How long the command of a host may take until its recorder answers, unless a person waits for it, ms. */
const CONNECT_LIMIT_MS = 60_000
/** The first is after a loss: the network may be there already. */
const PAUSES_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const
/** A connection that was shorter counts as a failed attempt, ms. */
const SHORTEST_MS = 200
/** A network that drops everything is noticed after both. */
const ALIVE_TERMS = { aliveInterval: 5000, alive: 5000 }

/** How a person's attempt differs from those that are made by themselves. */
export interface Attempt extends Required<Pick<OpenOptions, 'decide' | 'isNew' | 'signal'>> {
  readonly onPrinted: (printed: string) => void
}

type PhaseFacts = Pick<HostPlace, 'since' | 'reason' | 'outdated' | 'clock'>

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
  const phase = createPhase(surroundings.changed)
  const retries = createRetries()
  let stored = initial
  let opened: OpenedHost | null = null
  let wanted = false
  /** The one that counts: what an older one still does is dropped. */
  let attempt: { readonly ended: Promise<void> } | null = null
  let abort = new AbortController()

  const keep = (found: RemoteHost): void => {
    stored = found
    try {
      updateHost(dataDir, found)
    } catch (error) {
      // Expected: ENOSPC, EROFS. Only commands, and the next start, know less of the host.
      log.warn(`what is known of ${name} could not be saved (${(error as NodeJS.ErrnoException).code ?? ''})`)
    }
  }

  const open = async ({ onPrinted, ...terms }: Attempt): Promise<void> => {
    const end = Promise.withResolvers<void>()
    const mine = { ended: end.promise }
    attempt = mine
    const onText = printed.begin()
    try {
      const { opened: found, complete } = await connectAndResume(dataDir, stored, {
        ...terms,
        order,
        greet,
        onEvent: (frame) => attempt === mine && onEvent(frame),
        printed: (text) => onPrinted(onText(text))
      })
      if (attempt === mine) connected(found, complete)
      else found.disconnect()
    } catch (error) {
      if (attempt === mine) failed(error)
      throw error
    } finally {
      end.resolve()
    }
  }
  const connected = (found: OpenedHost, complete: boolean): void => {
    opened = found
    keep({ ...found.host, workspaces: stored.workspaces })
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
    attempt = null
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
    attempt = null
    retries.cancel()
    abort.abort(reason)
    opened?.disconnect()
    opened = null
  }
  const settled = async (): Promise<void> => {
    const last = attempt
    await last?.ended
    if (attempt !== last) await settled()
  }

  return {
    state: () => ({ ...phase.state(), printed: printed.text() }),
    stored: (): RemoteHost => stored,
    /** Which folders the host records; stored once it is connected. */
    setFolders(workspaces: RemoteHost['workspaces']): void {
      if (opened) keep({ ...stored, workspaces })
      else stored = { ...stored, workspaces }
    },
    client: (): Client | null => opened?.client ?? null,
    /** Resolves when no attempt is being made. */
    settled,
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
      stored = next
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

/** The phase with what belongs to it: since when, and why. */
function createPhase(changed: () => void) {
  let name: HostPhase = 'idle'
  let facts: PhaseFacts = { since: Date.now(), reason: '', outdated: null, clock: null }
  return {
    name: (): HostPhase => name,
    state: () => ({ phase: name, ...facts }),
    /** `clock` stays until another is known. */
    enter(next: HostPhase, more: Partial<PhaseFacts> = {}): void {
      const since = next === name ? facts.since : Date.now()
      name = next
      facts = { ...facts, since, reason: '', outdated: null, ...more }
      changed()
    }
  }
}

/** When to try again: after pauses that grow while attempts fail. */
function createRetries() {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const afterLoss = (connect: () => void): void => {
    timer = setTimeout(connect, PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)])
    timer.unref()
  }
  return {
    afterLoss,
    afterFailure(connect: () => void): void {
      failures = Math.max(failures, 1)
      afterLoss(connect)
    },
    reset(): void {
      failures = 0
    },
    cancel: (): void => clearTimeout(timer)
  }
}
