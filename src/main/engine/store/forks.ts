/**
 * Owns table `fork`: session files prepared for an agent, cut at a message. A fork is unused until its agent reports a
 * session with its id.
 */
import type { Store } from './open-store.ts'
import { all, run as execute, inserter, scalar, type Writable } from './sql.ts'

interface ForkRow {
  readonly id: string
  readonly session: string
  /** Seq of the message it is cut at. */
  readonly revision: number
  readonly at: number
  readonly file: string
  /** SHA-256 of the written bytes, hex; '' = unknown, or not to be removed any more. */
  readonly hash: string
}

export interface UnusedFork extends Pick<ForkRow, 'id' | 'file' | 'hash'> {
  readonly agent: string
  readonly home: string | null
}

const insertRow = inserter('fork', ['id', 'session', 'revision', 'at', 'file', 'hash'])

export function insertFork(tx: Writable<Store>, fork: ForkRow): void {
  insertRow(tx, fork)
}

/** The file is gone, or belongs to its agent now. */
export function settleFork(tx: Writable<Store>, id: string): void {
  execute(tx, "UPDATE fork SET hash = '' WHERE id = ?", id)
}

export function forkRevision(store: Store, id: string): number | null {
  return scalar(store, 'SELECT revision FROM fork WHERE id = ?', id)
}

/** Forks at this revision that their agent has not resumed yet, newest first. */
export function unusedForksAt(store: Store, session: string, revision: number): Pick<ForkRow, 'id' | 'file'>[] {
  const sql = `SELECT id, file FROM fork WHERE session = ? AND revision = ? AND NOT EXISTS (SELECT 1 FROM session s WHERE s.id = fork.id)
       ORDER BY at DESC`
  return all(store, sql, session, revision)
}

const UNUSED = `SELECT f.id, f.file, f.hash, s.agent, s.home FROM fork f JOIN session s ON s.id = f.session
  WHERE f.hash <> '' AND NOT EXISTS (SELECT 1 FROM session begun WHERE begun.id = f.id)`

export function unusedForksOf(store: Store, session: string): UnusedFork[] {
  return all(store, `${UNUSED} AND f.session = ?`, session)
}

export function unusedForksBefore(store: Store, at: number): UnusedFork[] {
  return all(store, `${UNUSED} AND f.at < ?`, at)
}
