/** The events of the engine: who listens to them, and the numbers by which a client finds what it missed. */
import type { EngineEvents, EventName } from '../../contract/api.ts'
import type { EventFrame } from '../../contract/wire.ts'
import { createEventBacklog } from './event-backlog.ts'

/** `place` is absent for events without a number. */
type EventListener = (event: EventName, payload: unknown, place?: EventPlace) => void
type EventPlace = Required<Pick<EventFrame, 'stream' | 'n'>>

export type EventEmitter = ReturnType<typeof createEventEmitter>

export function createEventEmitter() {
  const listeners = new Set<EventListener>()
  const backlog = createEventBacklog()
  const onAny = (listener: EventListener): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    backlog,
    emit: <E extends EventName>(event: E, payload: EngineEvents[E]): void => {
      const n = backlog.add(event, payload)
      const place = n === null ? undefined : { stream: backlog.stream, n }
      for (const listener of [...listeners]) listener(event, payload, place)
    },
    /** Returns a function that ends the calls. */
    on: <E extends EventName>(event: E, listener: (payload: EngineEvents[E]) => void): (() => void) =>
      onAny((name, payload) => {
        if (name === event) listener(payload as EngineEvents[E])
      }),
    onAny
  }
}
