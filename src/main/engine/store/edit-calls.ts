/**
 * Owns table `edit_call`: which runs may have made an edit, and in which tool call. An edit with several rows is shared
 * (GW-4).
 */
import type { Store } from './open-store.ts'
import type { PathId } from './paths.ts'
import { all, column, count, run as execute, exists, tuples, type Writable } from './sql.ts'

interface EditAuthor {
  readonly run: string
  readonly turn: string
  /** Null outside the tool calls of a run. */
  readonly call: string | null
}

export function insertEditCall(tx: Writable<Store>, edit: number, { run, turn, call }: EditAuthor): void {
  execute(tx, 'INSERT INTO edit_call(edit, run, turn, call) VALUES (?, ?, ?, ?)', edit, run, turn, call)
}

/** Seqs of the edits of a run, or of one of its turns, in log order. */
export function editsOfRun(store: Store, run: string, turn?: string): number[] {
  if (!turn) return column(store, 'SELECT edit FROM edit_call WHERE run = ? ORDER BY edit', run)
  return column(store, 'SELECT edit FROM edit_call WHERE run = ? AND turn = ? ORDER BY edit', run, turn)
}

/** Paths with an edit of a run. */
export function pathsOfRun(store: Store, run: string): PathId[] {
  return column(store, 'SELECT DISTINCT e.path FROM edit_call c JOIN edit e ON e.seq = c.edit WHERE c.run = ?', run)
}

/** The runs that may have made an edit. */
export function runsOfEdit(store: Store, edit: number): string[] {
  return column(store, 'SELECT run FROM edit_call WHERE edit = ? ORDER BY run', edit)
}

/** The tool calls that may have made an edit. */
export function callsOfEdit(store: Store, edit: number): string[] {
  return column(store, 'SELECT call FROM edit_call WHERE edit = ? AND call IS NOT NULL ORDER BY call', edit)
}

export function editsOfCall(store: Store, run: string, call: string): number[] {
  const sql = 'SELECT edit FROM edit_call WHERE run = ? AND call = ? ORDER BY edit'
  return column(store, sql, run, call)
}

/** Whether an edit with `after` < seq <= `to` is not the call's own, or perhaps not: it is shared. */
export function hasOtherEdits(
  store: Store,
  {
    run,
    call,
    after,
    to
  }: { readonly run: string; readonly call: string | null; readonly after: number; readonly to: number }
): boolean {
  const sql = `SELECT 1 FROM edit e WHERE e.seq > ? AND e.seq <= ? AND (e.attribution = 3
    OR NOT EXISTS (SELECT 1 FROM edit_call c WHERE c.edit = e.seq AND c.run = ? AND c.call IS ?)) LIMIT 1`
  return exists(store, sql, after, to, run, call)
}

/** Names of the paths that a run alone, or one of its turns, changed outside its tool calls, sorted. */
export function pathsWithoutCall(store: Store, run: string, turn: string | null): string[] {
  const sql = `SELECT DISTINCT p.name FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
    WHERE c.run = ? AND c.call IS NULL AND c.turn = coalesce(?, c.turn) AND e.attribution <> 3 ORDER BY p.name`
  return column(store, sql, run, turn)
}

/** Names of the paths with edits that this run or another may have made, sorted. */
export function sharedPaths(store: Store, run: string): string[] {
  const sql = `SELECT DISTINCT p.name FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
    WHERE c.run = ? AND e.attribution = 3 ORDER BY p.name`
  return column(store, sql, run)
}

/** The runs that may have made any of these edits. */
export function runsOfEdits(store: Store, edits: readonly number[]): string[] {
  const sql = 'SELECT DISTINCT run FROM edit_call WHERE edit IN (SELECT value FROM json_each(?))'
  return column(store, sql, JSON.stringify(edits))
}

/** Of each run with any of these edits, how many of them are its own. */
export function countEdits(store: Store, edits: readonly number[]): Map<string, number> {
  const sql = `SELECT run, count(DISTINCT edit) FROM edit_call WHERE edit IN (SELECT value FROM json_each(?)) GROUP BY run`
  return new Map(tuples<[string, number]>(store, sql, JSON.stringify(edits)))
}

export function countEditsOfRun(store: Store, run: string): number {
  return count(store, 'SELECT count(DISTINCT edit) FROM edit_call WHERE run = ?', run)
}

/** The run of each of these edits that one run alone made. */
export function runOfEach(store: Store, edits: readonly number[]): Map<number, string> {
  const sql = `SELECT edit, min(run) FROM edit_call WHERE edit IN (SELECT value FROM json_each(?))
    GROUP BY edit HAVING count(DISTINCT run) = 1`
  return new Map(tuples<[number, string]>(store, sql, JSON.stringify(edits)))
}

/** Runs with an edit of any of these paths. */
export function runsOfPaths(store: Store, paths: readonly PathId[]): string[] {
  const sql = `SELECT DISTINCT c.run FROM edit e JOIN edit_call c ON c.edit = e.seq
    WHERE e.path IN (SELECT value FROM json_each(?))`
  return column(store, sql, JSON.stringify(paths))
}

/** The first edit of any of these runs, 0 without one. */
export function firstEditOfRuns(store: Store, runs: readonly string[]): number {
  const sql = 'SELECT min(edit) FROM edit_call WHERE run IN (SELECT value FROM json_each(?))'
  return count(store, sql, JSON.stringify(runs))
}

/** The newest edit of a run, 0 without one. */
export function lastEditOfRun(store: Store, run: string): number {
  return count(store, 'SELECT coalesce(max(edit), 0) FROM edit_call WHERE run = ?', run)
}

export function countEditedPaths(store: Store, run: string): number {
  const sql = 'SELECT count(DISTINCT e.path) FROM edit_call c JOIN edit e ON e.seq = c.edit WHERE c.run = ?'
  return count(store, sql, run)
}

/** The paths that a call changed, by name, without created and deleted directories: the paths in them imply those. */
export function pathsChangedBy(
  store: Store,
  call: { readonly id: string; readonly run: string; readonly startSeq: number; readonly endSeq: number }
): { readonly name: string; readonly attribution: number }[] {
  const sql = `SELECT p.name, max(e.attribution) AS attribution FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
     JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
     WHERE c.run = ? AND c.edit > ? AND c.edit <= ? AND c.call = ? AND a.kind <> 3 AND NOT (a.kind = 0 AND b.kind = 3)
     GROUP BY p.name ORDER BY p.name`
  return all(store, sql, call.run, call.startSeq, call.endSeq, call.id)
}

/** Files of a run whose content before or after an edit is not stored, by name. */
export function pathsNotStored(store: Store, run: string, side: 'before' | 'after'): string[] {
  const sql = `SELECT DISTINCT p.name FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
       JOIN version v ON v.id = e.${side} WHERE c.run = ? AND v.kind = 1 AND v.reason IS NOT NULL ORDER BY p.name`
  return column(store, sql, run)
}

interface AuthoredEdit extends EditAuthor {
  readonly edit: number
  /** Name of the tool of the call. */
  readonly tool: string | null
}

/** The authors of the edits with `after` < seq <= `to`, in log order. */
export function authorsBetween(store: Store, after: number, to: number): AuthoredEdit[] {
  const sql = `SELECT c.edit, c.run, c.turn, c.call, t.name AS tool FROM edit_call c LEFT JOIN tool_call t ON t.id = c.call
    WHERE c.edit > ? AND c.edit <= ? ORDER BY c.edit, c.run`
  return all(store, sql, after, to)
}
