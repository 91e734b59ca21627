/**
 * The numbers of the engine's events, and the last of them for clients that lost their connection. Numbers count from 1 in
 * the life of one engine, whose name is new each time: a client of the last one has no place in this one's order.
 */
import type { EngineEvents, EventName, NumberedEvent, Result } from '../../contract/api.ts'
import { randomText } from './store/ids.ts'

/** Paths and events that are kept, at most: some megabytes. */
const LIMIT = 20_000

/** How far something is: the next one says it again, and nobody needs those that were missed. */
const UNNUMBERED: ReadonlySet<EventName> = new Set<EventName>(['restore.progress', 'hosts.progress'])

export type EventBacklog = ReturnType<typeof createEventBacklog>

export function createEventBacklog(limit = LIMIT) {
  const stream = randomText()
  const kept: NumberedEvent[] = []
  let size = 0
  let last = 0
  return {
    stream,
    /** The number of a new event; null for one that has none. */
    add<E extends EventName>(event: E, payload: EngineEvents[E]): number | null {
      if (UNNUMBERED.has(event)) return null
      last += 1
      kept.push({ n: last, event, payload })
      size += sizeOf(payload)
      while (size > limit) size -= sizeOf(kept.shift()?.payload)
      return last
    },
    /** The events after those that a client has; null if they are not all here. */
    after(of: string, n: number): Result<'app.resume'> {
      const first = last - kept.length + 1
      const isHere = of === stream && n <= last && n + 1 >= first
      return { stream, last, missed: isHere ? kept.slice(n + 1 - first) : null }
    }
  }
}

function sizeOf(payload: unknown): number {
  const { paths = [] } = (payload ?? {}) as { readonly paths?: readonly string[] }
  return 1 + paths.length
}
