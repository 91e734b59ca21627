/**
 * One client that survives reconnects: each connection attempt opens a new channel.
 *
 *   connecting --opened--> open --closed--> waiting --after back-off, or retry()--> connecting
 *        \-----------------closed-------------^
 *
 * Calls made while `waiting` fail with `Disconnected`; while `connecting` they wait in the channel. Listeners survive
 * a reconnect. `generation` grows when shown data must be fetched again: each time `open` is entered, unless the events that
 * were missed are all there (WR-4).
 */
import type { Client, EngineEvents, EventName, Params } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createEventOrder } from '../../contract/event-order.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import { type Channel, createClient } from '../../contract/wire.ts'
import type { ChannelEvents } from './platform.ts'

export interface ConnectionState {
  readonly phase: 'connecting' | 'open' | 'waiting'
  /** Times that shown data had to be fetched. */
  readonly generation: number
  /** Time of the loss or of the first attempt, ms UTC; null while open. */
  readonly downSince: number | null
  /** The recorder was restarted and refuses this page's key: only its new address helps. */
  readonly refused?: boolean
  /** Time of the last received frame, ms UTC; null before the first. */
  readonly lastContact: number | null
  /** The recorder here answers, but not the host that is shown. */
  readonly away?: HostPlace
}

export interface Connection {
  readonly client: Client
  state(): ConnectionState
  subscribe(listener: () => void): () => void
  /** Reconnects at once instead of waiting. */
  retry(): void
  close(): void
}

const BACK_OFF_MS = [250, 500, 1000, 2000, 4000, 8000] as const

/** Replaced in tests. */
export interface Clock {
  now(): number
  later(ms: number, run: () => void): () => void
}

const systemClock: Clock = {
  now: () => Date.now(),
  later: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }
}

export function createConnection(connect: (events: ChannelEvents) => Channel, clock: Clock = systemClock): Connection {
  let current: Client | null = null
  let attempt = 0
  let failures = 0
  let cancelWait = () => {}
  let closed = false
  let state: ConnectionState = { phase: 'connecting', generation: 0, downSince: clock.now(), lastContact: null }
  const watchers = new Set<() => void>()
  const listeners = new Map<EventName, Set<(payload: never) => void>>()

  const set = (next: Partial<ConnectionState>) => {
    state = { ...state, ...next }
    for (const watcher of [...watchers]) watcher()
  }
  const order = createEventOrder(({ event, payload }) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(payload as never)
  })
  /** [WR-4] Shown data stays valid if every event that was missed is kept; else it must be fetched again. */
  const resume = async (mine: number, client: Client, last: Params<'app.resume'>) => {
    let isComplete = false
    try {
      const answer = await client.call('app.resume', last)
      if (mine === attempt) isComplete = order.resume(answer)
    } catch {
      // Disconnected: the next connection resumes. Usage: a recorder of a version that keeps no events.
      if (mine === attempt && state.phase === 'open') order.giveUp()
    }
    if (!isComplete && mine === attempt && state.phase === 'open') set({ generation: state.generation + 1 })
  }
  const open = () => {
    if (closed) return
    cancelWait()
    const mine = ++attempt
    const last = order.position()
    if (last) order.hold()
    set({ phase: 'connecting' })
    const channel = connect({
      opened: () => {
        if (mine !== attempt || closed) return
        failures = 0
        set({
          phase: 'open',
          generation: state.generation + (last ? 0 : 1),
          downSince: null,
          refused: false,
          lastContact: clock.now()
        })
        if (last && current) void resume(mine, current, last)
      },
      closed: () => {
        if (mine !== attempt || closed) return
        current = null
        const wait = BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)] ?? 8000
        set({ phase: 'waiting', downSince: state.downSince ?? clock.now() })
        cancelWait = clock.later(wait, open)
      },
      refused: () => {
        if (mine === attempt && !closed) set({ refused: true })
      }
    })
    current = createClient(channel, {
      onEvent: (frame) => {
        if (mine !== attempt) return
        state = { ...state, lastContact: clock.now() }
        order.receive(frame)
      }
    })
  }
  open()

  return {
    client: {
      async call(method, params, host) {
        if (!current) throw disconnected()
        const result = await current.call(method, params, host)
        state = { ...state, lastContact: clock.now() }
        return result
      },
      on<E extends EventName>(event: E, listener: (payload: EngineEvents[E]) => void) {
        const set = listeners.get(event) ?? new Set()
        listeners.set(event, set)
        set.add(listener as (payload: never) => void)
        return () => set.delete(listener as (payload: never) => void)
      }
    },
    state: () => state,
    subscribe(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    retry() {
      if (state.phase === 'waiting') open()
    },
    close() {
      closed = true
      cancelWait()
    }
  }
}

function disconnected(): DriftlineError {
  return new DriftlineError(
    'Disconnected',
    'Not connected to Driftline. Nothing recorded was lost. Try again once it is connected.'
  )
}
