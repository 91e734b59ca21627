/**
 * Lists named events. They are derived from three ordered lists of rows: edits by `seq`, checkpoints by `n`, and the ends
 * of the runs and restores that began at these checkpoints. Merged by position, they give the same events in the same
 * order whenever they are read, so nothing about events is stored.
 */
import type { EventCursor, NamedEvent } from '../../../contract/events.ts'
import { type CheckpointRow, checkpointsAfter } from '../store/checkpoints.ts'
import { authorsBetween } from '../store/edit-calls.ts'
import { editsAfter, type NamedEditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { restoreOfGuard } from '../store/restores.ts'
import { checkpointEvents } from './checkpoint-events.ts'
import { editEvents } from './edit-events.ts'
import { type End, endOf } from './ends.ts'

interface EventPage {
  readonly events: readonly NamedEvent[]
  readonly next: EventCursor
  readonly more: boolean
}

/** A page ends after this time, ms: others wait for the thread. */
const BUDGET_MS = 40

/** At most about `limit` events after a cursor, oldest first. */
export function listEvents(store: Store, workspace: string, after: EventCursor, limit: number): EventPage {
  const edits = editsAfter(store, after.edit, limit)
  const marks = checkpointsAfter(store, after.checkpoint, limit)
  const lastEdit = edits.length < limit ? Number.POSITIVE_INFINITY : (edits.at(-1) as NamedEditRow).seq
  const lastMark = marks.length < limit ? Number.POSITIVE_INFINITY : marks.length
  const ends = endsOf(store, [...after.open, ...marks.flatMap((mark) => begunAt(store, mark) ?? [])])
  const authors = Map.groupBy(
    authorsBetween(store, after.edit, edits.at(-1)?.seq ?? after.edit),
    (author) => author.edit
  )
  const open = new Set(after.open)
  const events: NamedEvent[] = []
  const deadline = performance.now() + BUDGET_MS
  let [e, m, x] = [0, 0, 0]
  while (performance.now() < deadline && m < lastMark) {
    const [edit, mark, end] = [edits[e], marks[m], ends[x]]
    // An end comes after the checkpoint where it began, whatever the clock said: `open` has it from then on.
    const moment = end && (!mark || (open.has(end.id) && comesBefore(end, mark))) ? end : mark
    if (edit && (!moment || edit.seq <= moment.seq)) {
      events.push(...editEvents(store, workspace, edit, authors.get(edit.seq) ?? []))
      e++
    } else if (!moment || moment.seq > lastEdit) break
    else if (moment === mark) {
      events.push(...checkpointEvents(store, workspace, mark))
      const begun = begunAt(store, mark)
      if (begun !== null) open.add(begun)
      m++
    } else if (end) {
      events.push(...end.events(workspace))
      open.delete(end.id)
      x++
    }
  }
  return {
    events,
    next: { edit: edits[e - 1]?.seq ?? after.edit, checkpoint: marks[m - 1]?.n ?? after.checkpoint, open: [...open] },
    more: e < edits.length || m < marks.length || x < ends.length || edits.length === limit || marks.length === limit
  }
}

/** The run or restore that begins at a checkpoint. */
function begunAt(store: Store, { id, reason, run }: CheckpointRow): string | null {
  if (reason === 'run_start') return run
  return reason === 'pre_restore_guard' ? restoreOfGuard(store, id) : null
}

/** Of those that have ended, in the order of their ends. */
function endsOf(store: Store, ids: readonly string[]): End[] {
  return ids.flatMap((id) => endOf(store, id) ?? []).sort((a, b) => a.seq - b.seq || a.at - b.at)
}

/** At one position their times decide; in the same millisecond, only the checkpoint of the end itself comes first. */
function comesBefore(end: End, mark: CheckpointRow): boolean {
  if (end.seq !== mark.seq) return end.seq < mark.seq
  return end.at < mark.at || (end.at === mark.at && !(mark.reason === 'end_of_turn' && mark.run === end.id))
}
