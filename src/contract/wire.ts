/** Frames between a client and the engine, one JSON text each, and a typed client on any channel that carries them. */
import type { Client, EngineEvents, EventName, Method, Params, Result } from './api.ts'
import { DriftlineError, type ErrorShape } from './errors.ts'

/** `host`: set by a page that asks another machine for something that belongs to no workspace (hosts.ts). */
export type Frame =
  | { readonly id: number; readonly method: string; readonly params: unknown; readonly host?: string }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorShape }
  | EventFrame

/** [WR-4] `n` counts the events of one engine, whose name is `stream`. Both are absent in events that nobody has to have. */
export interface EventFrame {
  readonly event: EventName
  readonly payload: unknown
  readonly stream?: string
  readonly n?: number
}

/** A host's main thread sends this frame back at once, whatever its engine does: it proves that the process runs. */
export const ALIVE = '{"id":0}'

/** One end of a transport. `onFrame` and `onClose` replace an earlier listener. */
export interface Channel {
  send(frame: string): void
  onFrame(listener: (frame: string) => void): void
  onClose(listener: () => void): void
}

/**
 * A channel on a transport that sends with `send`: the transport calls `deliver` for each frame, and `closed` at the
 * end.
 */
export function openChannel(send: Channel['send']) {
  let frameListener: (frame: string) => void = () => {}
  let closeListener = (): void => {}
  const channel: Channel = {
    send,
    onFrame: (listener) => {
      frameListener = listener
    },
    onClose: (listener) => {
      closeListener = listener
    }
  }
  return { channel, deliver: (frame: string): void => frameListener(frame), closed: (): void => closeListener() }
}

/** Two channels within one process. Frames arrive in order and asynchronously, as they do over a socket. */
export function memoryChannels() {
  let open = true
  // The language's own microtask: neither the engine's nor the page's globals are known here.
  const later = (deliver: () => void): void => void Promise.resolve().then(deliver)
  const near = openChannel((frame) => later(() => open && far.deliver(frame)))
  const far = openChannel((frame) => later(() => open && near.deliver(frame)))
  return {
    ends: [near.channel, far.channel] as const,
    /** Closes both ends. */
    close(): void {
      if (!open) return
      open = false
      near.closed()
      far.closed()
    }
  }
}

interface PendingCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

interface ClientOptions {
  /** Gets every event as well, with its number. */
  readonly onEvent?: (frame: EventFrame) => void
  /** Called with what is no frame. Only another machine sends that; the caller ends the connection. */
  readonly onInvalid?: () => void
}

/**
 * [WR-1] Replies carry the id of their request, so they may arrive in any order. When the channel closes, every pending
 * call fails with `Disconnected`.
 */
export function createClient(channel: Channel, { onEvent, onInvalid }: ClientOptions = {}): Client {
  let nextId = 1
  let closed = false
  const pending = new Map<number, PendingCall>()
  const listeners = new Map<string, Set<(payload: never) => void>>()
  channel.onFrame((text) => {
    const frame = onInvalid ? frameOf(text) : (JSON.parse(text) as Frame)
    if (frame === null) return onInvalid?.()
    if ('event' in frame) {
      onEvent?.(frame)
      for (const listener of [...(listeners.get(frame.event) ?? [])]) listener(frame.payload as never)
      return
    }
    const call = pending.get(frame.id)
    if (!call || 'method' in frame) return
    pending.delete(frame.id)
    if ('error' in frame) call.reject(new DriftlineError(frame.error.code, frame.error.message, frame.error.data))
    else call.resolve(frame.result)
  })
  channel.onClose(() => {
    closed = true
    for (const call of pending.values()) call.reject(disconnected())
    pending.clear()
  })
  return {
    call<M extends Method>(method: M, params: Params<M>, host?: string): Promise<Result<M>> {
      if (closed) return Promise.reject(disconnected())
      const id = nextId++
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve: resolve as (value: unknown) => void, reject })
        channel.send(JSON.stringify({ id, method, params, ...(host === undefined ? {} : { host }) } satisfies Frame))
      })
    },
    on<E extends EventName>(event: E, listener: (payload: EngineEvents[E]) => void): () => void {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set)
      set.add(listener as (payload: never) => void)
      return () => set.delete(listener as (payload: never) => void)
    }
  }
}

/** Null for what is no frame of an answer or event. */
function frameOf(text: string): Frame | null {
  try {
    const frame: unknown = JSON.parse(text)
    if (typeof frame !== 'object' || frame === null) return null
    const { id, event, error } = frame as { id?: unknown; event?: unknown; error?: Partial<ErrorShape> | null }
    if (typeof event === 'string') return frame as Frame
    const isError = error === undefined || (typeof error?.code === 'string' && typeof error.message === 'string')
    return typeof id === 'number' && isError ? (frame as Frame) : null
  } catch {
    // SyntaxError.
    return null
  }
}

function disconnected(): DriftlineError {
  return new DriftlineError(
    'Disconnected',
    'The connection to Driftline was lost. Nothing recorded was lost. Reconnect and retry.'
  )
}
