/** Owns table `restore_item`: the paths of a restore, in the order of its plan, and what became of each. */
import type { ItemAction, ItemResult } from '../../../contract/restore.ts'
import type { Store } from './open-store.ts'
import { all, column, count, get, run, type Writable } from './sql.ts'
import type { VersionId } from './versions.ts'

export interface RestoreItemRow {
  readonly n: number
  readonly path: string
  readonly action: ItemAction
  readonly before: VersionId
  readonly after: VersionId
  /** The edit the path returns to, 0 = the initial snapshot; see `log/chain.ts`. */
  readonly base: number
  /** [LG-7] The path that the content is moved from. A merge takes its history along. */
  readonly movedFrom: string | null
  readonly state: ItemResult | 'planned'
}

/** Adds the items of a restore; their order is `n`. */
export function insertRestoreItems(
  tx: Writable<Store>,
  restore: string,
  items: readonly Omit<RestoreItemRow, 'n' | 'state'>[]
): void {
  const sql =
    "INSERT INTO restore_item(restore, n, path, action, before, after, base, moved_from, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'planned')"
  for (const [n, item] of items.entries())
    run(tx, sql, restore, n, item.path, item.action, item.before, item.after, item.base, item.movedFrom)
}

export function itemsOfRestore(store: Store, restore: string): RestoreItemRow[] {
  const sql = `SELECT n, path, action, before, after, base, moved_from AS movedFrom, state
     FROM restore_item WHERE restore = ? ORDER BY n`
  return all(store, sql, restore)
}

export function setItemResults(
  tx: Writable<Store>,
  restore: string,
  results: readonly { readonly n: number; readonly result: ItemResult }[]
): void {
  const sql = 'UPDATE restore_item SET state = ? WHERE restore = ? AND n IN (SELECT value FROM json_each(?))'
  for (const [result, same] of Map.groupBy(results, ({ result }) => result))
    run(tx, sql, result, restore, JSON.stringify(same.map(({ n }) => n)))
}

/**
 * [LG-7] The edits of a restore that moved a file with its history: where it came, and where it left. Both were written.
 * Those that return to an earlier version take no history along.
 */
export function movesWithHistory(
  store: Store,
  restore: string
): { readonly arrival: number; readonly departure: number }[] {
  const sql = `SELECT a.seq AS arrival, d.seq AS departure FROM restore_item i
    JOIN path pa ON pa.name = i.path JOIN path pd ON pd.name = i.moved_from
    JOIN edit a ON a.path = pa.id AND a.restore = i.restore JOIN edit d ON d.path = pd.id AND d.restore = i.restore
    WHERE i.restore = ? AND i.moved_from IS NOT NULL AND a.merge = 1 AND a.moved_from IS NULL`
  return all(store, sql, restore)
}

/** The numbers of a restore's items, by path: an item is found by its number. */
export function itemNumbers(store: Store, restore: string): ReadonlyMap<string, number> {
  return new Map(itemsOfRestore(store, restore).map(({ path, n }) => [path, n]))
}

/** The item is on disk and in the log. */
export function markWritten(tx: Writable<Store>, restore: string, n: number): void {
  run(tx, "UPDATE restore_item SET state = 'done' WHERE restore = ? AND n = ?", restore, n)
}

/**
 * Paths of unfinished restores. They must not be recorded: whether a change is the restore's or drift is decided when
 * it ends.
 */
export function unfinishedPaths(store: Store): ReadonlySet<string> {
  const sql =
    "SELECT i.path FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')"
  return new Set(column<string>(store, sql))
}

/** [RS-20] Of a restore's paths to which it moved a file: where that came from. Both were written. */
export function movesOfRestore(store: Store, restore: string): ReadonlyMap<string, string> {
  const sql = `SELECT i.path, s.path AS movedFrom FROM restore_item i JOIN restore_item s ON s.restore = i.restore
    WHERE i.restore = ? AND i.moved_from IS NOT NULL AND s.path = i.moved_from AND i.state = 'done' AND s.state = 'done'`
  const rows = all<{ readonly path: string; readonly movedFrom: string }>(store, sql, restore)
  return new Map(rows.map(({ path, movedFrom }) => [path, movedFrom]))
}

/** [UI-6] Number of files a restore wrote or deleted, a rename once; of folders if it changed nothing else. */
export function countRestoredFiles(store: Store, restore: string): number {
  // As `countPaths`: the name that a rename left, unless something took its place or the new name was not free. Version 1
  // is absent in every store.
  const isOldName = `after = 1 AND path IN (SELECT moved_from FROM restore_item
    WHERE restore = ? AND state = 'done' AND before = 1 AND moved_from IS NOT NULL)`
  const sql = `SELECT coalesce(nullif(sum(action NOT IN ('mkdir', 'rmdir') AND NOT (${isOldName})), 0), count(*))
    FROM restore_item WHERE restore = ? AND state = 'done'`
  return count(store, sql, restore, restore)
}

/** A file that a restore wrote, or else one that it deleted; null if there is none. */
export function firstRestoredFile(store: Store, restore: string): string | null {
  const sql = `SELECT path FROM restore_item WHERE restore = ? AND state = 'done' AND action NOT IN ('mkdir', 'rmdir')
    ORDER BY action = 'delete', n LIMIT 1`
  return get<{ readonly path: string }>(store, sql, restore)?.path ?? null
}

/** A file that a restore wrote or deleted. `run`: whose change it was, null when several runs made it. */
export interface RestoredFile extends Pick<RestoreItemRow, 'path' | 'before' | 'after'> {
  readonly run: string | null
  /** 1: later lines of others in the file stayed. */
  readonly merge: number
}

/** Whose changes are meant: those of a session, or of one run. */
export type ChangeOwner = { readonly session: string } | { readonly run: string }

/** The files of a restore that their owner had edited after position `from`, at most `limit`, in the order of the plan. */
export function restoredFilesOf(
  store: Store,
  restore: string,
  owner: ChangeOwner,
  { from, limit }: { readonly from: number; readonly limit: number }
): RestoredFile[] {
  const sql = `SELECT i.path, i.before, i.after, iif(count(DISTINCT c.run) = 1, min(c.run), NULL) AS run, max(w.merge) AS merge
    FROM restore_item i JOIN path p ON p.name = coalesce(i.moved_from, i.path)
    JOIN edit w ON w.path = p.id AND w.restore = i.restore
    JOIN edit e ON e.path = p.id AND e.seq > ? AND e.seq < w.seq
    JOIN edit_call c ON c.edit = e.seq JOIN run r ON r.id = c.run
    WHERE i.restore = ? AND i.state = 'done' AND i.action NOT IN ('mkdir', 'rmdir') AND ${'run' in owner ? 'r.id' : 'r.session'} = ?
    GROUP BY i.n ORDER BY i.n LIMIT ?`
  return all(store, sql, from, restore, 'run' in owner ? owner.run : owner.session, limit)
}

/** The newest edits of restores in force that removed changes of a session from a path, at most `limit`. */
export function undoneEditsOf(
  store: Store,
  session: string,
  path: string,
  limit: number
): { readonly before: VersionId; readonly after: VersionId }[] {
  const sql = `SELECT w.before, w.after FROM path p JOIN edit w ON w.path = p.id JOIN restore x ON x.id = w.restore
    WHERE p.name = ? AND x.act IN ('undo-run', 'restore') AND x.state IN ('done', 'partial')
      AND (x.undone_by IS NULL OR x.undone_by = x.id)
      AND EXISTS (SELECT 1 FROM edit e JOIN edit_call c ON c.edit = e.seq JOIN run r ON r.id = c.run
        WHERE e.path = p.id AND e.seq < w.seq AND r.session = ?)
    ORDER BY w.seq DESC LIMIT ?`
  return all(store, sql, path, session, limit)
}
