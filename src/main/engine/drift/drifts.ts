/** [DR-4] Drift: outside edits collect in the open drift until it is accepted, reverted, or a run starts. At most one is open. */
import type { Drift } from '../../../contract/timeline.ts'
import type { Author } from '../capture/append.ts'
import { prepareCached } from '../db/transaction.ts'
import { isWithin } from '../files/paths.ts'
import { newId } from '../ports/ids.ts'
import { addEntry, nextOrdinal } from '../store/entries.ts'
import type { Store } from '../store/open-store.ts'
import { kindNumber } from '../store/versions.ts'

interface DriftRow {
  readonly id: string
  readonly n: number
  readonly state: Drift['state']
  readonly cause: Drift['cause']
  readonly note: string
  readonly found_at: number
  readonly seq: number
  readonly count: number
}

/** More paths than a person edits between two checks: probably an install, a checkout or a generator. */
const BULK = 200

const DIR = kindNumber('dir')
const ABSENT = kindNumber('absent')

/**
 * SQL condition: edit `e` is listed by itself. A folder that was created or removed together with its content is not; its content
 * stands for it. CROSS JOIN fixes the order, so that a folder costs as much as it contains; SQLite's own plan reads the whole
 * drift for each folder (20,000 files: 230 ms instead of 9 ms).
 */
const LISTED = `NOT EXISTS (
  SELECT 1 FROM version b CROSS JOIN version a CROSS JOIN path p CROSS JOIN edit i
  WHERE b.id = e.before AND a.id = e.after AND ${DIR} IN (b.kind, a.kind) AND ${ABSENT} IN (b.kind, a.kind)
    AND p.parent = e.path AND i.path = p.id AND i.drift = e.drift)`

const COUNT = `(SELECT count(DISTINCT e.path) FROM edit e WHERE e.drift = drift.id AND ${LISTED})`

export interface DriftCause {
  readonly cause: Drift['cause']
  readonly note: string
}

/** The author of outside edits: the open drift, created if there is none. Call inside a transaction. */
export function outsideAuthor(store: Store, cause: DriftCause, at: number): Author {
  const open = prepareCached(store.db, "SELECT id FROM drift WHERE state = 'open'").get() as { id: string } | undefined
  let id = open?.id
  if (id === undefined) {
    id = newId('dr')
    store.db
      .prepare("INSERT INTO drift(id, n, state, cause, note, found_at, seq) VALUES (?, ?, 'open', ?, ?, ?, ?)")
      .run(id, nextOrdinal(store, 'drift'), cause.cause, cause.note, at, store.records.lastSeq() + 1)
    addEntry(store, 'drift', id)
  } else if (cause.cause !== 'edits') {
    // The cause that explains most wins: a branch switch over single edits.
    store.db.prepare('UPDATE drift SET cause = ?, note = ? WHERE id = ?').run(cause.cause, cause.note, id)
  }
  return { origin: 'outside', attribution: 'none', by: [], drift: id }
}

/** The author of files that existed before and are covered from now on: an accepted drift. Call inside a transaction. */
export function discoveredAuthor(store: Store, note: string, at: number): Author {
  const id = newId('dr')
  store.db
    .prepare("INSERT INTO drift(id, n, state, cause, note, found_at, seq) VALUES (?, ?, 'accepted', 'bulk', ?, ?, ?)")
    .run(id, nextOrdinal(store, 'drift'), note, at, store.records.lastSeq() + 1)
  addEntry(store, 'drift', id)
  return { origin: 'outside', attribution: 'none', by: [], drift: id }
}

/** Updates the count of the open drift. Call inside a transaction, after appending. */
export function refreshOpenDrift(store: Store): void {
  prepareCached(store.db, `UPDATE drift SET count = ${COUNT} WHERE state = 'open'`).run()
  prepareCached(
    store.db,
    `UPDATE drift SET cause = 'bulk' WHERE state = 'open' AND cause = 'edits' AND count > ${BULK}`
  ).run()
}

/** Updates the count of one drift. Call inside a transaction. */
export function countDrift(store: Store, id: string): void {
  store.db.prepare(`UPDATE drift SET count = ${COUNT} WHERE id = ?`).run(id)
}

export function listDrift(store: Store, state?: Drift['state']): Drift[] {
  const rows = store.db
    .prepare(`SELECT * FROM drift ${state ? 'WHERE state = ?' : ''} ORDER BY n DESC`)
    .all(...(state ? [state] : [])) as DriftRow[]
  return rows.map((row) => toDrift(store, row))
}

export function findDrift(store: Store, id: string): Drift | null {
  const row = store.db.prepare('SELECT * FROM drift WHERE id = ?').get(id) as DriftRow | undefined
  return row ? toDrift(store, row) : null
}

function toDrift(store: Store, row: DriftRow): Drift {
  const paths = store.db
    .prepare(
      `SELECT DISTINCT n.name FROM edit e JOIN path n ON n.id = e.path WHERE e.drift = ? AND ${LISTED} ORDER BY n.name LIMIT 500`
    )
    .all(row.id) as { name: string }[]
  const since = store.db.prepare('SELECT title FROM run WHERE end_seq < ? ORDER BY n DESC LIMIT 1').get(row.seq) as
    | { title: string }
    | undefined
  return {
    id: row.id,
    state: row.state,
    cause: row.cause,
    note: row.note,
    foundAt: row.found_at,
    seq: row.seq,
    count: row.count,
    paths: paths.map((path) => path.name),
    since: since?.title ?? ''
  }
}

type ClosedState = 'accepted' | 'put-back'

/**
 * Accepts or reverts a drift. With `paths` (a folder includes all below it) only those, which move to a drift of their own. An
 * unlisted folder is accepted with the last of its content. Call inside a transaction.
 */
export function closeDrift(store: Store, id: string, state: ClosedState, paths?: readonly string[]): void {
  const all = store.db
    .prepare(
      `SELECT n.id, n.name, max(${LISTED}) AS listed FROM edit e JOIN path n ON n.id = e.path WHERE e.drift = ? GROUP BY n.id`
    )
    .all(id) as { id: number; name: string; listed: 0 | 1 }[]
  const named = paths ? all.filter(({ name }) => paths.some((path) => isWithin(name, path))) : all
  if (paths && named.length === 0) return
  const closing = state === 'accepted' ? withImplied(all, named) : named
  if (closing.length === all.length) {
    store.db.prepare('UPDATE drift SET state = ? WHERE id = ?').run(state, id)
    return
  }
  const part = partOf(store, id, state)
  const move = store.db.prepare('UPDATE edit SET drift = ? WHERE drift = ? AND path = ?')
  for (const path of closing) move.run(part, id, path.id)
  for (const drift of [id, part]) {
    store.db
      .prepare(
        `UPDATE drift SET count = ${COUNT},
           seq = (SELECT min(e.seq) FROM edit e WHERE e.drift = drift.id) WHERE id = ?`
      )
      .run(drift)
  }
}

interface DriftPath {
  readonly name: string
  readonly listed: 0 | 1
}

/** `closing` and the unlisted folders that have no other listed content. */
function withImplied<T extends DriftPath>(all: readonly T[], closing: readonly T[]): readonly T[] {
  const isClosing = new Set(closing)
  const stillNeeded = new Set<string>()
  for (const { name, listed } of all.filter((path) => !isClosing.has(path))) {
    if (listed === 0) continue
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) stillNeeded.add(name.slice(0, at))
  }
  return all.filter((path) => isClosing.has(path) || (path.listed === 0 && !stillNeeded.has(path.name)))
}

/** The drift that takes the paths closed before the rest; created if there is none. */
function partOf(store: Store, id: string, state: ClosedState): string {
  const found = store.db.prepare('SELECT id FROM drift WHERE split_from = ? AND state = ?').get(id, state) as
    | { id: string }
    | undefined
  if (found) return found.id
  const part = newId('dr')
  store.db
    .prepare(
      `INSERT INTO drift(id, n, state, cause, note, found_at, seq, split_from)
       SELECT ?, ?, ?, cause, note, found_at, seq, id FROM drift WHERE id = ?`
    )
    .run(part, nextOrdinal(store, 'drift'), state, id)
  addEntry(store, 'drift', part)
  return part
}

/** A run starts from what is on disk, so the open drift is accepted. Returns whether there was one. Call inside a transaction. */
export function acceptOpenDrift(store: Store): boolean {
  return store.db.prepare("UPDATE drift SET state = 'accepted' WHERE state = 'open'").run().changes > 0
}
