/** Reads which recorded files runs made absent or empty: the newest edit of such a path is the loss. Owns no table. */
import type { Seq } from '../../../contract/log.ts'
import type { Store } from './open-store.ts'
import { all, column, count, type Readable, scalar } from './sql.ts'
import type { VersionId } from './versions.ts'

export interface LossRow {
  readonly seq: Seq
  readonly path: string
  readonly run: string
  /** When it was recorded, ms UTC. */
  readonly at: number
  /** What was lost. */
  readonly before: VersionId
  /** 1: it is absent; 0: an empty file. */
  readonly absent: number
  /** 1: its content is under another name now (LG-7). */
  readonly moved: number
  /** 1: the run itself had made it. */
  readonly made: number
}

/** The last position before a time, ms UTC. */
export function positionBefore(store: Readable, at: number): Seq {
  // From the end: the history before is not read.
  return scalar<Seq>(store, 'SELECT seq FROM edit WHERE at < ? ORDER BY seq DESC LIMIT 1', at) ?? 0
}

/** Edits after a position by which a file or link became absent, or a file empty. Cheap: no joins but versions. */
export function countLosses(store: Readable, after: Seq): number {
  const sql = `SELECT count(*) FROM edit e WHERE e.seq > ? AND e.origin = 1 AND (e.after = 1
    OR (SELECT v.size = 0 AND v.kind = 1 FROM version v WHERE v.id = e.after))`
  return count(store, sql, after)
}

/** One row for each run that may have made the loss, in log order. */
export function lossesAfter(store: Store, after: Seq): LossRow[] {
  const sql = `SELECT e.seq, p.name AS path, c.run, e.at, e.before, a.kind = 0 AS absent,
      EXISTS (SELECT 1 FROM edit a WHERE a.moved_from = e.seq) AS moved,
      coalesce((SELECT f.before = 1 AND EXISTS (SELECT 1 FROM edit_call m WHERE m.edit = f.seq AND m.run = c.run)
        FROM edit f WHERE f.path = e.path AND f.seq > r.start_seq ORDER BY f.seq LIMIT 1), 0) AS made
    FROM edit e JOIN edit_call c ON c.edit = e.seq JOIN run r ON r.id = c.run JOIN path p ON p.id = e.path
      JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
    WHERE e.seq > ? AND p.edit = e.seq AND b.kind IN (1, 2) AND ${IS_LOST} ORDER BY e.seq`
  return all(store, sql, after)
}

/** The paths of any kind that a run made absent or empty after a position and that still are, sorted. */
export function pathsLostBy(store: Store, run: string, after: Seq): string[] {
  const sql = `SELECT p.name FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
      JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
    WHERE c.run = ? AND c.edit > ? AND p.edit = e.seq AND b.kind <> 0 AND ${IS_LOST}
      AND NOT EXISTS (SELECT 1 FROM edit m WHERE m.moved_from = e.seq) ORDER BY p.name`
  return column(store, sql, run, after)
}

/** SQL: `a` is nothing, or an empty file that `b` was not. */
const IS_LOST = '(a.kind = 0 OR (a.kind = 1 AND a.size = 0 AND b.kind = 1 AND b.size > 0))'

/** Present files and links below a folder, at most `most`. */
export function filesBelow(store: Readable, folder: string, most: number): string[] {
  // '0' follows '/' in ASCII, so this range holds every name with the prefix `folder/`.
  const sql = `SELECT p.name FROM path p JOIN version v ON v.id = p.version
    WHERE p.name > ? AND p.name < ? AND v.kind IN (1, 2) LIMIT ?`
  return column(store, sql, `${folder}/`, `${folder}0`, most)
}
