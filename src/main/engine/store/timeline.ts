/** Owns table `entry`: the order of the timeline across runs, pins, restores and drift. Entries are only appended. */
import type { Store } from './open-store.ts'
import { textInForce } from './run-texts.ts'
import { all, count, get, run, scalar, type Writable } from './sql.ts'

export type EntryKind = 'run' | 'checkpoint' | 'restore' | 'drift'

interface EntryRow {
  readonly n: number
  readonly kind: EntryKind
  /** Of the run, checkpoint, restore or drift. */
  readonly id: string
}

export interface EntryFilter {
  readonly kinds: readonly EntryKind[]
  /** Matches prompts, agents, labels and notes of runs, labels of pins, titles of restores, and paths of drift; "" matches all. */
  readonly text: string
  /** Only runs of this agent; "" for all entries. */
  readonly agent: string
  /** Only entries of this time or later, ms UTC. */
  readonly since: number
  /** Only drift that is neither accepted nor undone. */
  readonly undecided: boolean
  /** Only runs and drift that changed this path or something in this folder; "" for all entries. */
  readonly path: string
  /** Only runs that are not undone and with files that others changed later. */
  readonly conflicts: boolean
}

/** Appends an entry to the timeline. */
export function addEntry(tx: Writable<Store>, kind: EntryKind, id: string): void {
  run(tx, 'INSERT INTO entry(kind, id) VALUES (?, ?)', kind, id)
}

export function findEntry(store: Store, id: string): EntryRow | null {
  return get(store, 'SELECT * FROM entry WHERE id = ?', id)
}

/** Newest first, at most `limit` of those before the entry with ordinal `before`. */
export function listEntries(store: Store, filter: EntryFilter, before: number, limit: number): EntryRow[] {
  const { where, values } = conditionOf(filter)
  const sql = `SELECT e.* FROM entry e WHERE ${where} AND e.n < ? ORDER BY e.n DESC LIMIT ?`
  return all(store, sql, ...values, before, limit)
}

/** The same for the `limit` oldest ones. */
export function oldestEntries(store: Store, filter: EntryFilter, limit: number): EntryRow[] {
  const { where, values } = conditionOf(filter)
  const sql = `SELECT e.* FROM entry e WHERE ${where} ORDER BY e.n LIMIT ?`
  return all<EntryRow>(store, sql, ...values, limit).reverse()
}

export function countEntries(store: Store, filter: EntryFilter): number {
  const { where, values } = conditionOf(filter)
  return count(store, `SELECT count(*) FROM entry e WHERE ${where}`, ...values)
}

/** When something was last recorded, ms UTC; null in a store without runs, edits and checkpoints. */
export function lastActivityAt(store: Store): number | null {
  const sql = `SELECT max(at) FROM (SELECT max(started_at) AS at FROM run UNION ALL SELECT max(at) FROM edit
    UNION ALL SELECT max(at) FROM checkpoint)`
  return scalar(store, sql)
}

interface Condition {
  readonly where: string
  readonly values: readonly (string | number)[]
}

/** SQL condition on `entry e`. */
function conditionOf({ kinds, text, agent, since, undecided, path, conflicts }: EntryFilter): Condition {
  const parts: Condition[] = [{ where: `e.kind IN (${kinds.map(() => '?').join(',')})`, values: kinds }]
  if (agent !== '')
    parts.push({ where: 'EXISTS (SELECT 1 FROM run r WHERE r.id = e.id AND r.agent = ?)', values: [agent] })
  if (since > 0) parts.push({ where: `${AT} >= ?`, values: [since] })
  if (undecided) parts.push({ where: UNDECIDED, values: [] })
  if (path !== '') parts.push(changing(path))
  if (conflicts) parts.push({ where: CONFLICTS, values: [] })
  if (text !== '') parts.push(matching(text))
  return { where: parts.map(({ where }) => where).join(' AND '), values: parts.flatMap(({ values }) => values) }
}

/** When the entry began, ms UTC. */
const AT = `CASE e.kind WHEN 'run' THEN (SELECT started_at FROM run r WHERE r.id = e.id)
  WHEN 'drift' THEN (SELECT found_at FROM drift d WHERE d.id = e.id)
  WHEN 'restore' THEN (SELECT at FROM restore x WHERE x.id = e.id)
  ELSE (SELECT at FROM checkpoint c WHERE c.id = e.id) END`
const UNDECIDED = "EXISTS (SELECT 1 FROM drift d WHERE d.id = e.id AND d.state IN ('open', 'unreviewed'))"

/**
 * For each run, its edits are tried until one has a later edit of the same path by others. Restores are not
 * asked: what they wrote belongs to the edits they returned to.
 */
const CONFLICTS = `EXISTS (SELECT 1 FROM run r
  JOIN edit_call c ON c.run = r.id JOIN edit d ON d.seq = c.edit
  JOIN edit later ON later.path = d.path AND later.seq > d.seq
  WHERE r.id = e.id AND r.taken_back = 0 AND later.restore IS NULL
    AND NOT EXISTS (SELECT 1 FROM edit_call own WHERE own.edit = later.seq AND own.run = r.id))`

/** The edits of the path are read once, by index, whatever the number of entries. */
function changing(path: string): Condition {
  // '0' follows '/', so the range holds every name in the folder.
  const edits = `path p JOIN edit d ON d.path = p.id`
  const named = '(p.name = ? OR (p.name >= ? AND p.name < ?))'
  return {
    where: `e.id IN (SELECT c.run FROM ${edits} JOIN edit_call c ON c.edit = d.seq WHERE ${named}
      UNION SELECT d.drift FROM ${edits} WHERE d.drift IS NOT NULL AND ${named})`,
    values: [path, `${path}/`, `${path}0`, path, `${path}/`, `${path}0`]
  }
}

function matching(text: string): Condition {
  // `%` and `_` are wildcards of LIKE, so those a person typed are escaped.
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const matches = (column: string): string => `${column} LIKE ? ESCAPE '\\'`
  return {
    where: `(
      EXISTS (SELECT 1 FROM run r WHERE r.id = e.id AND (${matches('r.title')} OR ${matches('r.agent')}
        OR ${matches(textInForce('r.id', 'label'))} OR ${matches(textInForce('r.id', 'note'))}))
      OR EXISTS (SELECT 1 FROM checkpoint c WHERE c.id = e.id AND ${matches('c.label')})
      OR EXISTS (SELECT 1 FROM restore x WHERE x.id = e.id AND ${matches('x.title')})
      OR (e.kind = 'drift' AND EXISTS (SELECT 1 FROM edit d JOIN path p ON p.id = d.path WHERE d.drift = e.id AND ${matches('p.name')})))`,
    values: [like, like, like, like, like, like, like]
  }
}

const NEXT_ORDINAL = {
  run: 'SELECT coalesce(max(n), 0) + 1 FROM run',
  checkpoint: 'SELECT coalesce(max(n), 0) + 1 FROM checkpoint',
  restore: 'SELECT coalesce(max(n), 0) + 1 FROM restore',
  drift: 'SELECT coalesce(max(n), 0) + 1 FROM drift',
  comment: 'SELECT coalesce(max(n), 0) + 1 FROM comment',
  review: 'SELECT coalesce(max(n), 0) + 1 FROM review'
}

/** Next value of column `n`, which orders rows of one table made in the same millisecond. */
export function nextOrdinal(tx: Writable<Store>, table: keyof typeof NEXT_ORDINAL): number {
  return count(tx, NEXT_ORDINAL[table])
}
