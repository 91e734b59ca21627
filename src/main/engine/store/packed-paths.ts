/**
 * Owns table `packed_path`: paths of a new worktree as git wrote them, packed until something needs their rows. Of most
 * worktrees only few files are ever used, and many are made at once: rows take ten times the space, and most of the time
 * that protecting a worktree takes.
 *
 * What they are in tables path, version and content is written before the first statement on those (`deferRows`), in the
 * same transaction that removes the packed ones. So nothing but this file and what works beside them (`withoutDeferred`)
 * knows that rows may be packed.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { NotStoredReason } from '../../../contract/log.ts'
import type { CoverageTotals } from '../../../contract/workspace.ts'
import type { Signature } from '../files/signature.ts'
import { packChecked, SHARED, unpack, ZSTD } from './codec.ts'
import type { PathId } from './paths.ts'
import { column, deferRows, exists, insertRows, type Readable, run, transact, tuples, type Writable } from './sql.ts'
import { kindNumber } from './versions.ts'

export const PACKED_PATHS = `
-- Paths of a worktree that nothing has used yet (packed-paths.ts): they have no rows in path, version and content.
-- columns: of all, JSON, as one zstd frame with a checksum.
CREATE TABLE packed_path(n INTEGER PRIMARY KEY, columns BLOB NOT NULL) STRICT;
`

/** A path of an initial snapshot with its first version: a folder, or a file whose content the main history has. */
export interface FirstPath {
  readonly id: PathId
  readonly parent: PathId
  readonly path: string
  /** Of a file SHA-256 of its content, hex; null for a folder. */
  readonly hash: string | null
  /** Why a folder is not entered, else null. */
  readonly reason: NotStoredReason | null
  readonly signature: Signature
  /** When the stat was taken, ms UTC (DR-2). */
  readonly statAt: number
  /** As of `Head`. */
  readonly covered: boolean
}

/** More take too long to unpack at once. */
export const MOST_PACKED = 10_000

/** Tables that packed paths have rows in. */
export const PATH_TABLES = /\b(path|version|content)\b/

/** Call in a history that has no path but the root and those that wait for their first version. */
export function packPaths(tx: Writable<Readable>, paths: readonly FirstPath[]): void {
  if (paths.length === 0) return
  const { bytes } = packChecked(Buffer.from(JSON.stringify(toColumns(paths))))
  run(tx, 'INSERT INTO packed_path(columns) VALUES (?)', bytes)
  deferPackedPaths(tx)
}

/** Packed paths get their rows as soon as a statement of this connection needs them. */
export function deferPackedPaths(store: Readable): void {
  if (hasPackedPaths(store)) deferRows(store, { tables: PATH_TABLES, write: () => transact(store, unpackPaths) })
}

function unpackPaths(tx: Writable<Readable>): void {
  insertPaths(tx, packedColumns(tx).flatMap(fromColumns))
  run(tx, 'DELETE FROM packed_path')
}

/** Throws StoreDamaged. */
function packedColumns(store: Readable): Columns[] {
  return column<Buffer>(store, 'SELECT columns FROM packed_path ORDER BY n').map((packed) => {
    try {
      return JSON.parse(unpack(ZSTD, packed).toString()) as Columns
    } catch (error) {
      // Of zlib: the checksum of the frame does not match.
      const reason = (error as Error).message
      const message = `What was recorded first of this worktree is damaged (${reason}). Your files were not changed, and nothing was written. Run "driftline doctor" in its folder.`
      throw new DriftlineError('StoreDamaged', message, { file: store.db.name })
    }
  })
}

/** Why packed paths cannot be read, else null. */
export function damageOfPacked(store: Readable): string | null {
  try {
    packedColumns(store)
    return null
  } catch (error) {
    if (error instanceof DriftlineError) return error.message
    throw error
  }
}

/** The totals of the packed files, and the ids of the packed folders that are not entered. Throws StoreDamaged. */
export function packedCounts(store: Readable): CoverageTotals & { readonly excluded: readonly PathId[] } {
  const counts = { files: 0, bytes: 0, excluded: [] as PathId[] }
  for (const { id, hash, size, reason } of packedColumns(store))
    for (const [n, path] of id.entries()) {
      if (hash[n] !== null) {
        counts.files++
        counts.bytes += size[n] ?? 0
      } else if (reason[n] !== null) counts.excluded.push(path)
    }
  return counts
}

export function hasPackedPaths(store: Readable): boolean {
  return exists(store, 'SELECT 1 FROM packed_path')
}

/** Rows that one statement adds. */
const ROWS_AT_ONCE = 64
const FILE = kindNumber('file')
const FOLDER = kindNumber('dir')

/** Adds paths that have no row yet. */
export function insertPaths(tx: Writable<Readable>, paths: readonly FirstPath[]): void {
  const contents = insertContents(tx, paths)
  for (let at = 0; at < paths.length; at += ROWS_AT_ONCE) {
    const some = paths.slice(at, at + ROWS_AT_ONCE)
    const versions = insertRows(
      tx,
      'version(kind, size, mode, content, reason)',
      some.map(({ hash, reason, signature: { size, mode } }) =>
        hash === null ? [FOLDER, 0, mode, null, reason] : [FILE, size, mode, contents.get(hash) ?? null, null]
      )
    )
    insertRows(
      tx,
      'path(id, parent, name, version, ino, size, mtime, ctime, mode, seen, covered)',
      some.map(({ id, parent, path, signature: { ino, size, mtime, ctime, mode }, statAt, covered }, n) => {
        const head = [versions[n] ?? null, ino, size, mtime, ctime, mode, statAt, covered ? 1 : 0]
        return [id, parent, path, ...head]
      })
    )
  }
}

/** One row for each content that the history does not have. Returns the ids by hash. */
function insertContents(tx: Writable<Readable>, paths: readonly FirstPath[]): Map<string, number> {
  const ids = new Map(
    tuples<readonly [string, number]>(tx, 'SELECT lower(hex(hash)), id FROM content WHERE hash IS NOT NULL')
  )
  const fresh = new Map<string, number>()
  for (const { hash, signature } of paths) if (hash !== null && !ids.has(hash)) fresh.set(hash, signature.size)
  const rows = [...fresh]
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE)
    const added = insertRows(
      tx,
      'content(hash, size, codec)',
      some.map(([hash, size]) => [Buffer.from(hash, 'hex'), size, SHARED])
    )
    for (const [n, [hash]] of some.entries()) ids.set(hash, added[n] ?? 0)
  }
  return ids
}

/** One array for each column: equal values follow one another, and JSON names each column once. */
type Columns = ReturnType<typeof toColumns>

function toColumns(paths: readonly FirstPath[]) {
  return {
    id: paths.map(({ id }) => id),
    parent: paths.map(({ parent }) => parent),
    name: paths.map(({ path }) => path),
    hash: paths.map(({ hash }) => hash),
    reason: paths.map(({ reason }) => reason),
    ino: paths.map(({ signature }) => signature.ino),
    size: paths.map(({ signature }) => signature.size),
    mtime: paths.map(({ signature }) => signature.mtime),
    ctime: paths.map(({ signature }) => signature.ctime),
    mode: paths.map(({ signature }) => signature.mode),
    seen: paths.map(({ statAt }) => statAt),
    covered: paths.map(({ covered }) => covered)
  }
}

function fromColumns(columns: Columns): FirstPath[] {
  return columns.id.map((id, n) => {
    const at = <T>(values: readonly T[]): T => values[n] as T
    const hash = at(columns.hash)
    return {
      id,
      parent: at(columns.parent),
      path: at(columns.name),
      hash,
      reason: at(columns.reason),
      signature: {
        kind: hash === null ? 'dir' : 'file',
        ino: at(columns.ino),
        size: at(columns.size),
        mtime: at(columns.mtime),
        ctime: at(columns.ctime),
        mode: at(columns.mode)
      },
      statAt: at(columns.seen),
      covered: at(columns.covered)
    }
  })
}
