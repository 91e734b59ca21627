/** Named events, as a program reads them. */
import type { EventCursor, NamedEvent } from '../../src/contract/events.ts'
import type { RecordedFolder } from './recorded-folder.ts'

type Start = { readonly since: number } | { readonly after: EventCursor } | Record<never, never>

/** One page. It may end before `limit`: the engine does not let others wait for long. */
export const listEvents = ({ engine, workspace }: RecordedFolder, start: Start, limit = 500) =>
  engine.call('events.list', { workspace, ...start, limit })

/** Every event from `start` on, in pages of `limit`. */
export async function readEvents(folder: RecordedFolder, start: Start, limit = 500): Promise<NamedEvent[]> {
  const all: NamedEvent[] = []
  for (let from = start; ; ) {
    const { events, next, more } = await listEvents(folder, from, limit)
    all.push(...events)
    if (!more) return all
    from = { after: next }
  }
}
