/** Reads the edits between two positions as a replay shows them, and the prompts beside them. */
import type { Seq } from '../../../contract/log.ts'
import type { ReplayPrompt } from '../../../contract/replay.ts'
import { SESSION_N } from './messages.ts'
import type { Store } from './open-store.ts'
import { all, scalar, tuples } from './sql.ts'
import { PROMPT } from './turns.ts'

/** Kinds are numbers of the log (store-schema.ts). Lines are null while they are not counted. */
export interface ReplayRow {
  readonly seq: Seq
  readonly path: string
  readonly at: number
  readonly before: number
  readonly after: number
  readonly origin: number
  /** Whether the run is among those that made it. */
  readonly own: number
  readonly call: string | null
  readonly name: string | null
  readonly summary: string | null
  readonly added: number | null
  readonly deleted: number | null
}

const VERSIONS = 'JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after'
const OF_FILES = 'a.kind <> 3 AND NOT (a.kind = 0 AND b.kind IN (0, 3))'

/** Edits of files with `after` < seq <= `to`, in log order; folders are implied by them. `run`: whose edits are own. */
export function replayRows(store: Store, after: Seq, to: Seq, run: string | null, limit: number): ReplayRow[] {
  const sql = `SELECT e.seq, p.name AS path, e.at, b.kind AS before, a.kind AS after, e.origin,
      EXISTS (SELECT 1 FROM edit_call o WHERE o.edit = e.seq AND o.run = ?) AS own,
      t.id AS call, t.name, t.summary, l.added, l.deleted
    FROM edit e JOIN path p ON p.id = e.path ${VERSIONS}
    LEFT JOIN tool_call t ON t.id = (SELECT c.call FROM edit_call c WHERE c.edit = e.seq ORDER BY c.run = ? DESC LIMIT 1)
    LEFT JOIN line_count l ON l.before = e.before AND l.after = e.after
    WHERE e.seq > ? AND e.seq <= ? AND ${OF_FILES} ORDER BY e.seq LIMIT ?`
  return all(store, sql, run, run, after, to, limit)
}

/** How many rows `replayRows` has. */
export function countReplayRows(store: Store, after: Seq, to: Seq): number {
  const sql = `SELECT count(*) FROM edit e ${VERSIONS} WHERE e.seq > ? AND e.seq <= ? AND ${OF_FILES}`
  return scalar<number>(store, sql, after, to) ?? 0
}

/** The prompts of a run, or with null those of all runs between two positions, oldest first. */
export function promptsBetween(store: Store, run: string | null, from: Seq, to: Seq): ReplayPrompt[] {
  const sql = `SELECT t.start_seq AS seq, t.started_at AS at, ${PROMPT} AS text FROM turn t
    WHERE t.start_seq >= ? AND t.start_seq <= ? AND t.run = coalesce(?, t.run) ORDER BY t.start_seq, t.started_at`
  return all(store, sql, from, to, run)
}

/** Seq and time of the messages of a run in its conversation, oldest first. */
export function messageTimes(store: Store, session: string, run: string): (readonly [seq: number, at: number])[] {
  const sql = `SELECT seq, at FROM message WHERE session = ${SESSION_N}
    AND turn IN (SELECT id FROM turn WHERE run = ?) ORDER BY seq`
  return tuples(store, sql, session, run)
}
