/** Records files of a new worktree whose contents the history of the main folder has: some statements for all of them. */
import type { Signature } from '../files/signature.ts'
import { EVICTED_CODEC, SHARED } from './codec.ts'
import type { PathId } from './paths.ts'
import { all, type Readable, run, type Writable } from './sql.ts'

/** What a file is now in the history of the main folder; times as lstat gives them. */
export interface StoredHead extends Pick<Signature, 'ino' | 'size' | 'mtime' | 'ctime'> {
  readonly name: string
  /** SHA-256, hex. */
  readonly hash: string
  /** When that stat was taken, ms UTC. */
  readonly statAt: number
}

/** All files whose present content is stored. */
export function storedHeads(store: Readable): StoredHead[] {
  const sql = `SELECT p.name, hex(c.hash) AS hash, p.ino, p.size, p.mtime, p.ctime, p.seen AS statAt
    FROM path p JOIN version v ON v.id = p.version JOIN content c ON c.id = v.content
    WHERE v.kind = 1 AND p.ino IS NOT NULL AND c.hash IS NOT NULL AND c.damaged = 0 AND c.codec NOT IN (?, ?)`
  return all(store, sql, EVICTED_CODEC, SHARED)
}

export interface SharedFile {
  /** Its row, which has no version yet. */
  readonly id: PathId
  /** SHA-256, hex. */
  readonly hash: string
  readonly signature: Signature
  /** As of `setHead`. */
  readonly statAt: number
}

/** Times of this century in ms are multiples of 1/4096 as doubles: as integers they arrive exactly. */
const FRACTION = 4096

/** Gives each row its first version. Contents of the store that have the same bytes stay as they are. */
export function insertSharedFiles(tx: Writable<Readable>, files: readonly SharedFile[]): void {
  const rows = files.map(({ id, hash, signature: { size, mode, ino, mtime, ctime }, statAt }) => [
    ...[id, hash, size, mode, ino, mtime * FRACTION, ctime * FRACTION, statAt]
  ])
  run(
    tx,
    `CREATE TEMP TABLE shared AS SELECT value ->> 0 AS id, unhex(value ->> 1) AS hash, value ->> 2 AS size,
      value ->> 3 AS mode, value ->> 4 AS ino, (value ->> 5) / ${FRACTION}.0 AS mtime, (value ->> 6) / ${FRACTION}.0 AS ctime,
      value ->> 7 AS seen FROM json_each(?)`,
    JSON.stringify(rows)
  )
  run(
    tx,
    `INSERT INTO content(hash, size, codec) SELECT hash, size, ${SHARED} FROM shared GROUP BY hash ORDER BY hash
    ON CONFLICT(hash) DO NOTHING`
  )
  const first = (all<{ id: number }>(tx, 'SELECT coalesce(max(id), 0) AS id FROM version')[0]?.id ?? 0) + 1
  run(
    tx,
    `INSERT INTO version(id, kind, size, mode, content) SELECT ? + s.rowid, 1, s.size, s.mode, c.id
    FROM shared s JOIN content c ON c.hash = s.hash ORDER BY s.rowid`,
    first
  )
  run(
    tx,
    `UPDATE path SET version = ? + s.rowid, ino = s.ino, size = s.size, mtime = s.mtime, ctime = s.ctime, mode = s.mode,
      seen = s.seen FROM shared s WHERE path.id = s.id AND path.version IS NULL`,
    first
  )
  run(tx, 'DROP TABLE shared')
}
