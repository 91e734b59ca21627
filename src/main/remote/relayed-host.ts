/**
 * One host of the relay: its connection, which is opened again after a loss while a window wants it, its folders, and what
 * was last shown of it.
 *
 *   idle --want--> connecting --opened--> connected --lost--> unreachable --after a pause, or retry--> (opened, or again)
 *                       \--failed--> unreachable | needs-update          any --rest--> idle
 */
import type { Client, EngineEvents, EventName, Method } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createEventOrder } from '../../contract/event-order.ts'
import type { HostPhase, HostPlace } from '../../contract/hosts.ts'
import type { EventFrame } from '../../contract/wire.ts'
import type { WorkspaceSummary } from '../../contract/workspace.ts'
import { watchAnswers } from '../host/socket-client.ts'
import { changesFolders, farEvent } from './far-events.ts'
import { farFolders } from './far-folders.ts'
import { type RemoteHost, shownFileOf, updateHost } from './host-files.ts'
import { runWhatIsThere } from './installation.ts'
import { createLostRestores } from './lost-restores.ts'
import { type OpenedHost, openRemote } from './open-remote.ts'
import { createPrintedLines } from './printed-lines.ts'
import { answerOfHost, isAnswer, mayKeep, shownKey } from './relayed-calls.ts'
import { createShownCache } from './shown-cache.ts'

/** How long the command of a host may take until its recorder answers, unless a person waits for it, ms. */
const CONNECT_LIMIT_MS = 60_000
/** The first is after a loss: the network may be there already. */
const PAUSES_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const
/** A connection that was shorter counts as a failed attempt, ms. */
const SHORTEST_MS = 200
/** A network that drops everything is noticed after both. */
const ALIVE_TERMS = { aliveInterval: 5000, alive: 5000 }
/** Least time between two lists of its folders, ms. */
const LIST_PAUSE_MS = 1000
const LIST_KEY = shownKey('workspaces.list', {}) as string

type Decide = Parameters<typeof openRemote>[2]['decide']

/** How a person's attempt differs from those that the relay makes by itself. */
export interface Attempt {
  readonly decide: Decide
  readonly isNew: boolean
  readonly onPrinted: (printed: string) => void
  readonly signal: AbortSignal
}

interface Surroundings {
  readonly dataDir: string
  /** The state or the folders changed. */
  readonly changed: () => void
  readonly emit: <E extends EventName>(event: E, payload: EngineEvents[E]) => void
}

export type RelayedHost = ReturnType<typeof createRelayedHost>

export function createRelayedHost(initial: RemoteHost, { dataDir, changed, emit }: Surroundings) {
  const { name } = initial
  const shown = createShownCache(shownFileOf(dataDir, name))
  const lostRestores = createLostRestores(name, emit)
  const printed = createPrintedLines()
  let stored = initial
  let phase: HostPhase = 'idle'
  let facts: Pick<HostPlace, 'since' | 'reason' | 'outdated' | 'clock'> = {
    since: Date.now(),
    reason: '',
    outdated: null,
    clock: null
  }
  let folders = foldersShown(initial, shown.get(LIST_KEY))
  let opened: OpenedHost | null = null
  let lastContact = initial.lastSeenAt
  let wanted = false
  let attempt = 0
  let failures = 0
  let abort = new AbortController()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let settled = Promise.withResolvers<void>()

  const enter = (next: HostPhase, more: Partial<typeof facts> = {}): void => {
    const since = next === phase ? facts.since : Date.now()
    phase = next
    facts = { ...facts, since, reason: '', outdated: null, ...more }
    changed()
  }
  const order = createEventOrder((frame) => {
    const event = farEvent(name, frame)
    if (event) emit(event.event, event.payload)
    if (changesFolders(frame)) listing.request()
  })
  const onEvent = (frame: EventFrame): void => {
    lastContact = Date.now()
    order.receive(frame)
  }

  const listFolders = async (client: Client): Promise<void> => {
    const listed = await client.call('workspaces.list', {})
    const now = farFolders(name, (listed as { workspaces?: unknown } | null)?.workspaces)
    const differ = JSON.stringify(now) !== JSON.stringify(folders)
    folders = now
    shown.put(LIST_KEY, JSON.stringify({ workspaces: now, left: [] }))
    if (!differ) return
    const places = now.map(({ id, root }) => ({ id: id.slice(name.length + 1), root }))
    if (JSON.stringify(places) !== JSON.stringify(stored.workspaces)) {
      stored = { ...stored, workspaces: places }
      if (opened) updateHost(dataDir, stored)
    }
    changed()
  }
  const listing = createThrottle(LIST_PAUSE_MS, async () => {
    // Expected: Disconnected. The next connection lists again.
    if (opened) await listFolders(opened.client).catch(() => {})
  })

  /** [WR-4] True when every event since the last one was delivered. */
  const resume = async (client: Client, last: ReturnType<typeof order.position>): Promise<boolean> => {
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

  const open = async ({ decide, isNew, onPrinted, signal }: Attempt): Promise<void> => {
    const mine = ++attempt
    clearTimeout(retryTimer)
    const last = order.position()
    if (last) order.hold()
    const early = Promise.withResolvers<readonly [boolean, unknown]>()
    // The attempt fails with the same, or with the reason for it.
    early.promise.catch(() => {})
    const onText = printed.begin()
    try {
      const found = await openRemote(dataDir, stored, {
        decide,
        isNew,
        signal,
        onOpened: (client) => early.resolve(Promise.all([resume(client, last), listFolders(client)])),
        onEvent: (frame) => mine === attempt && onEvent(frame),
        printed: (text) => onPrinted(onText(text))
      })
      if (mine !== attempt) return found.disconnect()
      const [complete] = await early.promise
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
    lastContact = Date.now()
    const stopWatching = watchAnswers(found, ALIVE_TERMS)
    void found.closed.then(() => {
      stopWatching()
      if (performance.now() - since > SHORTEST_MS) failures = 0
      if (opened === found) lost()
    })
    enter('connected', { clock: found.clock })
    emit('host.reached', { host: name, complete })
    lostRestores.report(found.client)
  }
  const lost = (): void => {
    opened = null
    attempt++
    shown.save()
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
    const pause = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]
    retryTimer = setTimeout(connect, pause)
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
    shown.save()
  }
  const outOfReach = (): DriftlineError =>
    new DriftlineError(
      'HostUnreachable',
      `${name} is out of reach, and this was not shown before. Nothing was changed there. It is loaded once ${name} answers.`,
      { host: name }
    )
  const ask = async (method: Method, params: Readonly<Record<string, unknown>>): Promise<object> => {
    if (opened === null) throw outOfReach()
    const { client } = opened
    const result: unknown = await (method === 'restore.apply'
      ? lostRestores.apply(client, params as never)
      : client.call(method, params as never))
    lastContact = Date.now()
    if (!isAnswer(method, result))
      throw new DriftlineError(
        'HostUnreachable',
        `${name} gave an answer that is none to “${method}”. Nothing on this computer was changed. \`driftline hosts add ${name}\` brings it up to date.`,
        { host: name, method }
      )
    return result
  }

  return {
    name,
    place: (): HostPlace => ({
      name,
      command: stored.command,
      phase,
      ...facts,
      lastSeenAt: lastContact,
      printed: printed.text(),
      version: stored.version,
      workspaces: phase === 'connected' ? folders : folders.map((folder) => ({ ...folder, live: false }))
    }),
    /** Whether it is reached as it was, whatever else its file says now. */
    isAs: ({ command, build }: RemoteHost): boolean =>
      build === stored.build && command.join('\0') === stored.command.join('\0'),
    /**
     * The answer of the host as JSON text. What only reads is answered from what was last shown while the host is out of
     * reach. Fails with HostUnreachable, Disconnected and what the host fails with.
     */
    async call(method: Method, params: Readonly<Record<string, unknown>>): Promise<string> {
      const key = shownKey(method, params)
      const before = key === null ? undefined : shown.get(key)
      if (opened === null && before !== undefined) return before
      if (opened === null && phase === 'connecting') await settled.promise
      try {
        const result = (await ask(method, params)) as Readonly<Record<string, unknown>>
        const answer = JSON.stringify(answerOfHost(name, method, result))
        if (key !== null && mayKeep(result)) shown.put(key, answer)
        return answer
      } catch (error) {
        const isLost = error instanceof DriftlineError && error.code === 'Disconnected'
        if (isLost && before !== undefined) return before
        throw error
      }
    },
    /** Fails with HostUnreachable when there is no connection. */
    client: () => {
      if (opened === null) throw outOfReach()
      return opened.client
    },
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

/** The folders as last listed; of a host that was never shown, as the command line stored them. */
function foldersShown({ name, workspaces }: RemoteHost, listed: string | undefined): readonly WorkspaceSummary[] {
  if (listed === undefined) return farFolders(name, workspaces)
  const { workspaces: last } = JSON.parse(listed) as { workspaces: readonly WorkspaceSummary[] }
  return farFolders(
    name,
    last.map((folder) => ({ ...folder, id: folder.id.slice(name.length + 1) }))
  )
}

function timeLimit(): AbortSignal {
  const limit = new AbortController()
  const reason = `it gave no answer within ${CONNECT_LIMIT_MS / 1000} s`
  setTimeout(() => limit.abort(reason), CONNECT_LIMIT_MS).unref()
  return limit.signal
}

/** Runs the work at once, and again after a pause if it was requested meanwhile. */
function createThrottle(pause: number, work: () => Promise<void>): { request(): void } {
  let isBusy = false
  let again = false
  const run = async (): Promise<void> => {
    isBusy = true
    await work()
    setTimeout(() => {
      isBusy = false
      if (again) request()
    }, pause).unref()
    again = false
  }
  const request = (): void => {
    if (isBusy) again = true
    else void run()
  }
  return { request }
}
