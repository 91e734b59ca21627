/** Records files of a new worktree whose contents the history of the main folder has. */
import type { Signature } from '../files/signature.ts'
import { EVICTED_CODEC, SHARED } from './codec.ts'
import type { PathId } from './paths.ts'
import { count, get, type Readable, run, tuples, type Writable } from './sql.ts'
import { kindNumber } from './versions.ts'

/** What a file is now in the history of the main folder; times as lstat gives them. */
interface StoredHead extends Pick<Signature, 'ino' | 'size' | 'mtime' | 'ctime'> {
  /** SHA-256, hex. */
  readonly hash: string
  /** When that stat was taken, ms UTC. */
  readonly statAt: number
}

type HeadRow = readonly [
  path: string,
  hash: string,
  ino: number,
  size: number,
  mtime: number,
  ctime: number,
  statAt: number
]

/** All files whose present content is stored, by their paths. */
export function storedHeads(store: Readable): Map<string, StoredHead> {
  // The hash as text: a Buffer takes longer to make than the rest of the row.
  const sql = `SELECT p.name, lower(hex(c.hash)), p.ino, p.size, p.mtime, p.ctime, p.seen
    FROM path p JOIN version v ON v.id = p.version JOIN content c ON c.id = v.content
    WHERE v.kind = 1 AND p.ino IS NOT NULL AND c.hash IS NOT NULL AND c.damaged = 0 AND c.codec NOT IN (?, ?)`
  const rows = tuples<HeadRow>(store, sql, EVICTED_CODEC, SHARED)
  return new Map(
    rows.map(([path, hash, ino, size, mtime, ctime, statAt]) => [path, { hash, ino, size, mtime, ctime, statAt }])
  )
}

/** A file whose content the history of the main folder has. */
export interface SharedFile {
  /** SHA-256, hex. */
  readonly hash: string
  readonly signature: Signature
  /** As of `setHead`. */
  readonly statAt: number
}

export interface NewSharedFile extends SharedFile {
  readonly path: string
  readonly parent: PathId
}

/** Adds a file of a worktree with its first version. Returns false for one that has a version, which stays. */
export function addSharedFile(tx: Writable<Readable>, { path, parent, ...file }: NewSharedFile): boolean {
  const known = get<{ id: PathId; version: number | null }>(tx, 'SELECT id, version FROM path WHERE name = ?', path)
  if (known && known.version !== null) return false
  const { size, mode } = file.signature
  const content = sharedContentId(tx, Buffer.from(file.hash, 'hex'), size)
  const addVersion = 'INSERT INTO version(kind, size, mode, content) VALUES (?, ?, ?, ?)'
  const head = headOf(run(tx, addVersion, FILE, size, mode, content).id, file)
  if (known) run(tx, `UPDATE path SET (${HEAD_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?) WHERE id = ?`, ...head, known.id)
  else
    run(tx, `INSERT INTO path(parent, name, ${HEAD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, parent, path, ...head)
  return true
}

const FILE = kindNumber('file')

const HEAD_COLUMNS = 'version, ino, size, mtime, ctime, mode, seen'

function headOf(version: number, { signature: { ino, size, mtime, ctime, mode }, statAt }: SharedFile) {
  return [version, ino, size, mtime, ctime, mode, statAt]
}

/** Content of the store that has the same bytes stays as it is. */
function sharedContentId(tx: Writable<Readable>, hash: Buffer, size: number): number {
  const sql = `INSERT INTO content(hash, size, codec) VALUES (?, ?, ${SHARED}) ON CONFLICT(hash) DO NOTHING`
  const added = run(tx, sql, hash, size)
  return added.changes > 0 ? added.id : count(tx, 'SELECT id FROM content WHERE hash = ?', hash)
}
