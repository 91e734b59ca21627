/**
 * The journal of restores, a write-ahead log: all items are stored before the first file is touched, so that the next start
 * finds a restore whose process was killed and can finish or undo it (RS-7).
 *
 *   applying --> done | partial | failed | refused     the process wrote its result
 *   applying --> interrupted                           it failed after its first change, or its process died
 *   interrupted --> done | partial                     a recovery ended it
 */
import type { ItemAction, ItemResult, RestoreKind, RestoreMode, RestoreState } from '../../../contract/restore.ts'
import { prepareCached } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import { isAlive, ownProcess } from '../ports/processes.ts'
import { addEntry, nextOrdinal } from '../store/entries.ts'
import type { Store } from '../store/open-store.ts'
import type { VersionId } from '../store/versions.ts'

export interface RestoreRow {
  readonly id: string
  readonly n: number
  readonly act: RestoreKind
  readonly title: string
  readonly mode: RestoreMode
  /** `applying` with a dead owner counts as interrupted (`UnfinishedRestore.abandoned`). */
  readonly state: RestoreState | 'applying'
  readonly to_seq: number | null
  readonly guard: string
  readonly undoes: string | null
  readonly undone_by: string | null
  /** The interrupted restore that this one finishes. The Edits of both carry that one's id. */
  readonly finishes: string | null
  /** What the request named: a run, an outside change, a restore or a position. */
  readonly target: string
  /** 1 = the request selected no paths. */
  readonly whole: number
  readonly at: number
  readonly plan: string
  readonly phase: string
  readonly pid: number
  readonly pid_start: string
}

export interface JournalItem {
  readonly n: number
  readonly path: string
  readonly action: ItemAction
  readonly before: VersionId
  readonly after: VersionId
  /** The Edit the path returns to, 0 = the initial snapshot; see `log/chain.ts`. */
  readonly base: number
  readonly state: ItemResult | 'planned'
  readonly reason: string
}

export interface NewRestore {
  readonly act: RestoreKind
  readonly title: string
  readonly mode: RestoreMode
  readonly toSeq: number | null
  readonly guard: string
  readonly undoes: string | null
  readonly finishes: string | null
  readonly target: string
  readonly whole: boolean
  readonly plan: string
}

/** Writes the restore and its items, and returns its id. Call inside a transaction; durable when it commits (RS-3). */
export function beginRestore(
  store: Store,
  restore: NewRestore,
  items: readonly Omit<JournalItem, 'n' | 'state' | 'reason'>[],
  at: number
): string {
  const id = newId('rst')
  const me = ownProcess()
  prepareCached(
    store.db,
    `INSERT INTO restore(id, n, act, title, mode, state, to_seq, guard, undoes, finishes, target, whole, at, plan, phase, pid, pid_start)
       VALUES (?, ?, ?, ?, ?, 'applying', ?, ?, ?, ?, ?, ?, ?, ?, 'stage', ?, ?)`
  ).run(
    id,
    nextOrdinal(store, 'restore'),
    restore.act,
    restore.title,
    restore.mode,
    restore.toSeq,
    restore.guard,
    restore.undoes,
    restore.finishes,
    restore.target,
    restore.whole ? 1 : 0,
    at,
    restore.plan,
    me.pid,
    me.start
  )
  const insert = store.db.prepare(
    "INSERT INTO restore_item(restore, n, path, action, before, after, base, state) VALUES (?, ?, ?, ?, ?, ?, ?, 'planned')"
  )
  for (const [n, item] of items.entries()) insert.run(id, n, item.path, item.action, item.before, item.after, item.base)
  return id
}

export function setPhase(store: Store, id: string, phase: string): void {
  prepareCached(store.db, 'UPDATE restore SET phase = ? WHERE id = ?').run(phase, id)
}

/** Stores the final state and the items' results. Call inside the transaction that appends the restore's Edits. */
export function endRestore(
  store: Store,
  id: string,
  state: RestoreState,
  results: readonly { n: number; result: ItemResult; reason: string }[]
): void {
  const set = store.db.prepare('UPDATE restore_item SET state = ?, reason = ? WHERE restore = ? AND n = ?')
  for (const result of results) set.run(result.result, result.reason, id, result.n)
  prepareCached(store.db, "UPDATE restore SET state = ?, phase = '' WHERE id = ?").run(state, id)
  if (state !== 'refused') addEntry(store, 'restore', id)
}

export function findRestore(store: Store, id: string): RestoreRow | null {
  return (prepareCached(store.db, 'SELECT * FROM restore WHERE id = ?').get(id) as RestoreRow | undefined) ?? null
}

export function journalItems(store: Store, id: string): JournalItem[] {
  return prepareCached(
    store.db,
    'SELECT n, path, action, before, after, base, state, reason FROM restore_item WHERE restore = ? ORDER BY n'
  ).all(id) as JournalItem[]
}

export interface UnfinishedRestore extends RestoreRow {
  /** Its process died or gave up, so any process may recover it. */
  readonly abandoned: boolean
}

/** Restores that run or were interrupted, in any process, newest first. There are several when a recovery was interrupted too. */
export function unfinishedRestores(store: Store): UnfinishedRestore[] {
  const rows = prepareCached(
    store.db,
    "SELECT * FROM restore WHERE state IN ('applying', 'interrupted') ORDER BY n DESC"
  ).all() as RestoreRow[]
  return rows.map((row) => ({
    ...row,
    abandoned: row.state === 'interrupted' || !isAlive({ pid: row.pid, start: row.pid_start })
  }))
}

/**
 * The unfinished restore that blocks others: the running one, else the oldest interrupted one. Recoveries of a restore touch
 * only its paths, so the oldest covers all of them.
 */
export function blockingRestore(store: Store): UnfinishedRestore | null {
  const rows = unfinishedRestores(store)
  return rows.find((row) => !row.abandoned) ?? rows.at(-1) ?? null
}

/** The item is on disk and in the log. Call inside the transaction that appends its Edit. */
export function markWritten(store: Store, id: string, path: string): void {
  prepareCached(store.db, "UPDATE restore_item SET state = 'done' WHERE restore = ? AND path = ?").run(id, path)
}

/** Marks a restore that failed after its first change: any process may recover it, although this one is alive. */
export function markInterrupted(store: Store, id: string): void {
  prepareCached(store.db, "UPDATE restore SET state = 'interrupted' WHERE id = ?").run(id)
}

/** Paths of unfinished restores. They must not be recorded: whether a change is the restore's or drift is decided when it ends. */
export function unfinishedPaths(store: Store): ReadonlySet<string> {
  const rows = prepareCached(
    store.db,
    "SELECT i.path FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')"
  ).all() as { path: string }[]
  return new Set(rows.map((row) => row.path))
}

/**
 * SQL condition: there is something to undo. A restore that was interrupted before its first change has no Edits, and a
 * conversation that was continued since is no longer where the restore left it.
 */
const WROTE = `(EXISTS (SELECT 1 FROM edit e WHERE e.restore = restore.id) OR EXISTS (
  SELECT 1 FROM restore_conversation c JOIN session s ON s.id = c.session
  WHERE c.restore = restore.id AND c.state = 'done' AND s.revision = c.to_revision))`

/**
 * The restore that `undo` reverts: the newest that is done or partial, not undone, and neither an undo nor a redo. Recoveries
 * are not listed either: what they finished or undid belongs to the interrupted restore.
 */
export function findNextUndo(store: Store): RestoreRow | null {
  return (
    (store.db
      .prepare(
        `SELECT * FROM restore WHERE state IN ('done', 'partial') AND undone_by IS NULL AND act NOT IN ('undo', 'redo', 'recover') AND ${WROTE} ORDER BY n DESC LIMIT 1`
      )
      .get() as RestoreRow | undefined) ?? null
  )
}

/** The newest undo that is not redone yet. A newer restore clears it, also one that was superseded (`undone_by` is its own id). */
export function findNextRedo(store: Store): RestoreRow | null {
  const cleared = store.db
    .prepare(
      `SELECT max(n) AS n FROM restore WHERE state IN ('done', 'partial') AND (undone_by IS NULL OR undone_by = id) AND act NOT IN ('undo', 'redo', 'recover') AND ${WROTE}`
    )
    .get() as { n: number | null }
  const row = store.db
    .prepare(
      `SELECT * FROM restore WHERE state IN ('done', 'partial') AND act = 'undo' AND undone_by IS NULL AND ${WROTE} ORDER BY n DESC LIMIT 1`
    )
    .get() as RestoreRow | undefined
  return row && row.n > (cleared.n ?? 0) ? row : null
}

/** Number of files a restore wrote or deleted; of folders if it changed nothing else. */
export function countRestoredFiles(store: Store, id: string): number {
  const row = prepareCached(
    store.db,
    "SELECT count(*) AS items, sum(action NOT IN ('mkdir', 'rmdir')) AS files FROM restore_item WHERE restore = ? AND state = 'done'"
  ).get(id) as { items: number; files: number | null }
  return row.files || row.items
}
