/** The journal of restores: rows written before the first file is touched, so that a killed restore is known at the next start (RS-7). */
import type { ActKind, ItemAction, ItemResult, RestoreMode, RestoreState } from '../../../contract/restore.ts'
import { prepared } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import { isAlive, ownProcess } from '../ports/processes.ts'
import { addEntry, nextN } from '../store/entries.ts'
import type { Store } from '../store/open-store.ts'
import type { VersionId } from '../store/versions.ts'

export interface RestoreRow {
  readonly id: string
  readonly n: number
  readonly act: ActKind
  readonly title: string
  readonly mode: RestoreMode
  /** `applying` while files are written; a dead owner makes it `interrupted`. */
  readonly state: RestoreState | 'applying'
  readonly to_seq: number | null
  readonly guard: string
  readonly undoes: string | null
  readonly undone_by: string | null
  /** The cut off restore that this one finishes: its Edits are that one's. */
  readonly finishes: string | null
  /** What the act named: a run, an outside change, a restore, a position. */
  readonly target: string
  /** 1: no selection of paths. */
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
  /** The Edit the path returns to. */
  readonly base: number
  readonly state: ItemResult | 'planned'
  readonly reason: string
}

export interface NewRestore {
  readonly act: ActKind
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

/** Writes the restore and its items. Call inside a transaction; durable when it commits (RS-3). */
export function beginRestore(
  store: Store,
  restore: NewRestore,
  items: readonly Omit<JournalItem, 'n' | 'state' | 'reason'>[],
  at: number
): string {
  const id = newId('rst')
  const me = ownProcess()
  prepared(
    store.db,
    `INSERT INTO restore(id, n, act, title, mode, state, to_seq, guard, undoes, finishes, target, whole, at, plan, phase, pid, pid_start)
       VALUES (?, ?, ?, ?, ?, 'applying', ?, ?, ?, ?, ?, ?, ?, ?, 'stage', ?, ?)`
  ).run(
    id,
    nextN(store, 'restore'),
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
  prepared(store.db, 'UPDATE restore SET phase = ? WHERE id = ?').run(phase, id)
}

/** Call inside the transaction that appends the restore's Edits. */
export function endRestore(
  store: Store,
  id: string,
  state: RestoreState,
  results: readonly { n: number; result: ItemResult; reason: string }[]
): void {
  const set = store.db.prepare('UPDATE restore_item SET state = ?, reason = ? WHERE restore = ? AND n = ?')
  for (const result of results) set.run(result.result, result.reason, id, result.n)
  prepared(store.db, "UPDATE restore SET state = ?, phase = '' WHERE id = ?").run(state, id)
  if (state !== 'refused') addEntry(store, 'restore', id)
}

export function findRestore(store: Store, id: string): RestoreRow | null {
  return (prepared(store.db, 'SELECT * FROM restore WHERE id = ?').get(id) as RestoreRow | undefined) ?? null
}

export function journalItems(store: Store, id: string): JournalItem[] {
  return prepared(
    store.db,
    'SELECT n, path, action, before, after, base, state, reason FROM restore_item WHERE restore = ? ORDER BY n'
  ).all(id) as JournalItem[]
}

export interface OpenRestore extends RestoreRow {
  /** Its process died or gave up: anybody may recover it. */
  readonly abandoned: boolean
}

/** Restores under way or left behind, in any process. Several are left behind when a recovery is cut off too; newest first. */
export function openRestores(store: Store): OpenRestore[] {
  const rows = prepared(
    store.db,
    "SELECT * FROM restore WHERE state IN ('applying', 'interrupted') ORDER BY n DESC"
  ).all() as RestoreRow[]
  return rows.map((row) => ({
    ...row,
    abandoned: row.state === 'interrupted' || !isAlive({ pid: row.pid, start: row.pid_start })
  }))
}

/** The one that decides what may be done now: one under way, else the oldest left behind, which holds all paths of its recoveries. */
export function openRestore(store: Store): OpenRestore | null {
  const rows = openRestores(store)
  return rows.find((row) => !row.abandoned) ?? rows.at(-1) ?? null
}

/** The item is on disk and in the log. Call inside the transaction that appends its Edit. */
export function markWritten(store: Store, id: string, path: string): void {
  prepared(store.db, "UPDATE restore_item SET state = 'done' WHERE restore = ? AND path = ?").run(id, path)
}

/** It failed after its first change: from now on anybody may recover it, although this process lives. */
export function markInterrupted(store: Store, id: string): void {
  prepared(store.db, "UPDATE restore SET state = 'interrupted' WHERE id = ?").run(id)
}

/** Paths nobody may record while a restore is under way or abandoned: they are neither drift nor an Edit yet. */
export function unfinishedPaths(store: Store): ReadonlySet<string> {
  const rows = prepared(
    store.db,
    "SELECT i.path FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')"
  ).all() as { path: string }[]
  return new Set(rows.map((row) => row.path))
}

/** One that was cut off before it wrote anything left no Edits, and a conversation that went on is not where it was left: there is nothing of it to take back. */
const WROTE = `(EXISTS (SELECT 1 FROM edit e WHERE e.restore = restore.id) OR EXISTS (
  SELECT 1 FROM restore_conversation c JOIN session s ON s.id = c.session
  WHERE c.restore = restore.id AND c.state = 'done' AND s.revision = c.to_revision))`

/** Newest restore that `undo` takes back: done or partial, not undone, and not itself an undo. A recovery is never one: what it finished, or took back, is the restore that was cut off. */
export function nextUndo(store: Store): RestoreRow | null {
  return (
    (store.db
      .prepare(
        `SELECT * FROM restore WHERE state IN ('done', 'partial') AND undone_by IS NULL AND act NOT IN ('undo', 'redo', 'recover') AND ${WROTE} ORDER BY n DESC LIMIT 1`
      )
      .get() as RestoreRow | undefined) ?? null
  )
}

/** The newest undo not yet redone, unless a newer restore cleared it; one that was stepped over did, too. */
export function nextRedo(store: Store): RestoreRow | null {
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

/** Files a restore wrote or deleted; its folders only when there was nothing else. */
export function filesRestored(store: Store, id: string): number {
  const row = prepared(
    store.db,
    "SELECT count(*) AS items, sum(action NOT IN ('mkdir', 'rmdir')) AS files FROM restore_item WHERE restore = ? AND state = 'done'"
  ).get(id) as { items: number; files: number | null }
  return row.files || row.items
}
