/**
 * [WR-4] Which events a client has, over all its connections. Each is delivered once and in order: what arrives on a new
 * connection is held until the events that were missed before it are there.
 *
 *   following --hold(), for a new connection--> holding --resume(answer), or giveUp()--> following
 */
import type { Params, Result } from './api.ts'
import type { EventFrame } from './wire.ts'

export type EventOrder = ReturnType<typeof createEventOrder>

export function createEventOrder(deliver: (frame: EventFrame) => void) {
  let position: Params<'app.resume'> | null = null
  let held: EventFrame[] | null = null

  const take = (frame: EventFrame): void => {
    const { stream, n } = frame
    if (stream !== undefined && n !== undefined) {
      if (position?.stream === stream && n <= position.after) return
      position = { stream, after: n }
    }
    deliver(frame)
  }
  const release = (): void => {
    const frames = held ?? []
    held = null
    for (const frame of frames) take(frame)
  }
  return {
    /** The last event that was delivered; null before the first numbered one. */
    position: () => position,
    hold(): void {
      held = []
    },
    receive(frame: EventFrame): void {
      if (held) held.push(frame)
      else take(frame)
    },
    /** Delivers what was missed, then what was held. False: too much was missed, so fetch again what is shown. */
    resume({ stream, last, missed }: Result<'app.resume'>): boolean {
      if (missed === null) position = { stream, after: last }
      else for (const { n, event, payload } of missed) take({ event, payload, stream, n } as EventFrame)
      release()
      return missed !== null
    },
    /** Continues without what was missed. */
    giveUp: release
  }
}
