/** Records files of a new worktree whose contents the history of the main folder has. */
import type { Signature } from '../files/signature.ts'
import { EVICTED_CODEC, SHARED } from './codec.ts'
import type { PathId } from './paths.ts'
import { all, count, get, type Readable, run, type Writable } from './sql.ts'

/** What a file is now in the history of the main folder; times as lstat gives them. */
interface StoredHead extends Pick<Signature, 'ino' | 'size' | 'mtime' | 'ctime'> {
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

/** A file whose content the history of the main folder has. */
export interface SharedFile {
  /** SHA-256, hex. */
  readonly hash: string
  readonly signature: Signature
  /** As of `setHead`. */
  readonly statAt: number
}

/**
 * Adds a path with its first version: the whole row at once, which an update would write again. One that has a row without
 * a version gets it. Returns false for one that has a version, which stays.
 */
export function addSharedFile(
  tx: Writable<Readable>,
  path: string,
  parent: PathId,
  { hash, signature: { size, mode, ino, mtime, ctime }, statAt }: SharedFile
): boolean {
  const known = get<{ id: PathId; version: number | null }>(tx, 'SELECT id, version FROM path WHERE name = ?', path)
  if (known && known.version !== null) return false
  const content = sharedContentId(tx, Buffer.from(hash, 'hex'), size)
  const addVersion = 'INSERT INTO version(kind, size, mode, content) VALUES (1, ?, ?, ?)'
  const stat = [run(tx, addVersion, size, mode, content).id, ino, size, mtime, ctime, mode, statAt]
  if (known) run(tx, `UPDATE path SET (${HEAD_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?) WHERE id = ?`, ...stat, known.id)
  else
    run(tx, `INSERT INTO path(parent, name, ${HEAD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, parent, path, ...stat)
  return true
}

const HEAD_COLUMNS = 'version, ino, size, mtime, ctime, mode, seen'

/** Content of the store that has the same bytes stays as it is. */
function sharedContentId(tx: Writable<Readable>, hash: Buffer, size: number): number {
  const sql = `INSERT INTO content(hash, size, codec) VALUES (?, ?, ${SHARED}) ON CONFLICT(hash) DO NOTHING`
  const added = run(tx, sql, hash, size)
  return added.changes > 0 ? added.id : count(tx, 'SELECT id FROM content WHERE hash = ?', hash)
}
