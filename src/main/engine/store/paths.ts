/**
 * Owns table `path`: one row per path ever recorded, with its head (newest version), the stat taken with it, and for
 * folders whether all their names are recorded. Only the stat and the head change; rows are never deleted.
 */
import type { FileKind } from '../../../contract/log.ts'
import type { DiskKind, Signature } from '../files/signature.ts'
import { all, column, count, exists, get, type Readable, run, scalar, tuples, type Writable } from './sql.ts'
import { kindNumber, kindOf, type VersionId } from './versions.ts'

export type PathId = number

export interface Head {
  readonly id: PathId
  readonly parent: PathId
  /** Relative to the root, with `/`; "" is the root. */
  readonly path: string
  /** Newest recorded version; null while the initial snapshot is pending. */
  readonly version: VersionId | null
  /** Seq of the newest edit; 0 if the path is as the initial snapshot recorded it. */
  readonly edit: number
  /** The stat that was taken with the version; null if there was none. */
  readonly signature: Signature | null
  /** When that stat was taken, ms UTC: decides whether its times are trusted (DR-2). */
  readonly statAt: number
  /** [LG-5] All names in this folder are recorded, so a new name in it was absent before. */
  readonly covered: boolean
}

type PathRow = Pick<Head, 'id' | 'parent' | 'version' | 'edit' | 'statAt'> & {
  readonly name: string
  readonly covered: number
  readonly kind: number | null
} & (Omit<Signature, 'kind'> | { readonly ino: null })

const HEAD = `SELECT p.id, p.parent, p.name, p.version, p.edit, p.ino, p.size, p.mtime, p.ctime, p.mode, p.seen AS statAt,
  p.covered, (SELECT v.kind FROM version v WHERE v.id = p.version) AS kind FROM path p`
const HEAD_BY_NAME = `${HEAD} WHERE p.name = ?`
const HEAD_BY_ID = `${HEAD} WHERE p.id = ?`
const HEADS_BY_ID = `${HEAD} WHERE p.id IN (SELECT value FROM json_each(?))`
const HEADS_BY_NAME = `${HEAD} WHERE p.name IN (SELECT value FROM json_each(?))`
const CHILDREN = `${HEAD} WHERE p.parent = ?`
const NAMES = 'SELECT id, name FROM path WHERE id IN (SELECT value FROM json_each(?))'
const ALL_HEADS = `${HEAD} WHERE p.name > ''`
const HEADS_BETWEEN = `${HEAD} WHERE p.name > ? AND p.name < ? ORDER BY p.name`

export function headReads(store: Readable) {
  return {
    head: (path: string): Head | null => {
      const row = get<PathRow>(store, HEAD_BY_NAME, path)
      return row && toHead(row)
    },
    /** The heads of many, by name, null for one without; read together as they are asked for, in this order. */
    headsInOrder: (paths: readonly string[]): ((path: string) => Head | null) => headsInOrder(store, paths),
    /** Throws if there is none. */
    headById: (id: PathId): Head => {
      const row = get<PathRow>(store, HEAD_BY_ID, id)
      if (!row) throw missingPath(id)
      return toHead(row)
    },
    /** Many at once, in any order, by their ids; without those that do not exist. */
    headsById: (ids: readonly PathId[]): Head[] =>
      all<PathRow>(store, HEADS_BY_ID, JSON.stringify([...new Set(ids)])).map(toHead),
    /** Its name alone, for lists of many. Throws if there is none. */
    pathOf: (id: PathId): string => {
      const name = scalar<string>(store, 'SELECT name FROM path WHERE id = ?', id)
      if (name === null) throw missingPath(id)
      return name
    },
    /** Names of many at once, by their ids. What it returns throws for one that does not exist, or was not asked for. */
    pathsById: (ids: readonly PathId[]): ((id: PathId) => string) => {
      const names = new Map(tuples<readonly [PathId, string]>(store, NAMES, JSON.stringify([...new Set(ids)])))
      return (id) => {
        const name = names.get(id)
        if (name === undefined) throw missingPath(id)
        return name
      }
    },
    children: (id: PathId): Head[] => all<PathRow>(store, CHILDREN, id).map(toHead),
    /** All paths strictly below a folder, sorted by name. */
    below: (path: string): Head[] => {
      // '0' follows '/' in ASCII, so this range holds every name with the prefix `path/` and uses the index on `name`.
      const range = path === '' ? [] : [`${path}/`, `${path}0`]
      return all<PathRow>(store, path === '' ? ALL_HEADS : HEADS_BETWEEN, ...range).map(toHead)
    }
  }
}

/** Heads read together. */
const GROUP = 256

function headsInOrder(store: Readable, paths: readonly string[]): (path: string) => Head | null {
  let heads = new Map<string, Head | null>()
  let at = 0
  const readNext = (): void => {
    const group = paths.slice(at, at + GROUP)
    at += group.length
    const rows = all<PathRow>(store, HEADS_BY_NAME, JSON.stringify(group))
    heads = new Map<string, Head | null>(group.map((path) => [path, null]))
    for (const row of rows) heads.set(row.name, toHead(row))
  }
  return (path) => {
    while (!heads.has(path) && at < paths.length) readNext()
    return heads.get(path) ?? null
  }
}

function missingPath(id: PathId): Error {
  return new Error(`path ${id} is missing`)
}

const SET_HEAD =
  'UPDATE path SET version = ?, edit = iif(? = 0, edit, ?), ino = ?, size = ?, mtime = ?, ctime = ?, mode = ?, seen = ? WHERE id = ?'
const SET_SIGNATURE = 'UPDATE path SET ino = ?, size = ?, mtime = ?, ctime = ?, mode = ?, seen = ? WHERE id = ?'

export function headWrites(tx: Writable<Readable>) {
  return {
    addPath: (path: string, parent: PathId): PathId =>
      run(tx, 'INSERT INTO path(parent, name) VALUES (?, ?)', parent, path).id,
    /** Sets the head. `edit` 0 keeps the present one. */
    setHead: (id: PathId, version: VersionId, edit: number, signature: Signature | null, statAt: number): void => {
      run(tx, SET_HEAD, version, edit, edit, ...columnsOf(signature), statAt, id)
    },
    setSignature: (id: PathId, signature: Signature | null, statAt: number): void => {
      run(tx, SET_SIGNATURE, ...columnsOf(signature), statAt, id)
    },
    setCovered: (id: PathId, covered: boolean): void => {
      run(tx, 'UPDATE path SET covered = ? WHERE id = ?', covered ? 1 : 0, id)
    }
  }
}

function columnsOf(signature: Signature | null): (number | null)[] {
  return signature
    ? [signature.ino, signature.size, signature.mtime, signature.ctime, signature.mode]
    : [null, null, null, null, null]
}

function toHead(row: PathRow): Head {
  return {
    id: row.id,
    parent: row.parent,
    path: row.name,
    version: row.version,
    edit: row.edit,
    signature:
      row.ino === null
        ? null
        : {
            kind: diskKind(kindOf(row.kind ?? 0)),
            ino: row.ino,
            size: row.size,
            mtime: row.mtime,
            ctime: row.ctime,
            mode: row.mode
          },
    statAt: row.statAt,
    covered: row.covered === 1
  }
}

function diskKind(kind: FileKind): DiskKind {
  return kind === 'file' || kind === 'symlink' || kind === 'dir' ? kind : 'special'
}

export interface EditedPath {
  readonly id: PathId
  readonly name: string
  /** Its newest edit. */
  readonly edit: number
}

/** The first `limit` paths behind `after` that have an edit. */
export function editedPaths(store: Readable, after: number, limit: number): EditedPath[] {
  return all(store, 'SELECT id, name, edit FROM path WHERE edit <> 0 AND id > ? ORDER BY id LIMIT ?', after, limit)
}

/** Other recorded names of the file with this inode number: its hard links. */
export function otherNamesOf(store: Readable, ino: number, name: string): string[] {
  return column(store, 'SELECT name FROM path WHERE ino = ? AND name <> ?', ino, name)
}

/** Those of the names that are recorded. */
export function recordedNames(store: Readable, names: readonly string[]): string[] {
  if (names.length === 0) return []
  return column(store, 'SELECT name FROM path WHERE name IN (SELECT value FROM json_each(?))', JSON.stringify(names))
}

/** All paths but the root. */
export function pathNames(store: Readable): { readonly id: PathId; readonly name: string }[] {
  return all(store, "SELECT id, name FROM path WHERE name <> ''")
}

/** Paths with that last part. */
export function pathsNamed(store: Readable, name: string): string[] {
  return column(store, 'SELECT name FROM path WHERE name = ? OR name GLOB ?', name, `*/${name}`)
}

export function pathName(store: Readable, id: PathId): string | null {
  return scalar(store, 'SELECT name FROM path WHERE id = ?', id)
}

/** The newest version of some path is not absent. */
export function holdsFiles(store: Readable): boolean {
  const sql = "SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.name <> '' AND v.kind <> 0 LIMIT 1"
  return exists(store, sql)
}

/** All paths below the root whose newest version is not absent. */
export function presentPaths(store: Readable): string[] {
  const sql = "SELECT p.name FROM path p JOIN version v ON v.id = p.version WHERE p.name <> '' AND v.kind <> 0"
  return column(store, sql)
}

/** The first `limit` recorded folders behind `after`, the root included. */
export function recordedFolders(
  store: Readable,
  after: PathId,
  limit: number
): { readonly id: PathId; readonly name: string }[] {
  const sql = `SELECT p.id, p.name FROM path p JOIN version v ON v.id = p.version
    WHERE v.kind = ? AND p.id > ? ORDER BY p.id LIMIT ?`
  return all(store, sql, kindNumber('dir'), after, limit)
}

/** Paths whose initial snapshot is pending, in the order of their ids. */
export function pendingPaths(
  store: Readable,
  after: PathId,
  limit: number
): { readonly id: PathId; readonly name: string }[] {
  return all(store, 'SELECT id, name FROM path WHERE version IS NULL AND id > ? ORDER BY id LIMIT ?', after, limit)
}

/** Whether more than `most` paths wait for their first version. */
export function hasMorePending(store: Readable, most: number): boolean {
  return exists(store, 'SELECT 1 FROM path WHERE version IS NULL LIMIT 1 OFFSET ?', most)
}

export function isPending(store: Readable, id: PathId): boolean {
  return exists(store, 'SELECT 1 FROM path WHERE id = ? AND version IS NULL', id)
}

/** Those of the ids from `first` to `last` whose paths are pending. */
export function pendingIds(store: Readable, first: PathId, last: PathId): Set<PathId> {
  return new Set(column<PathId>(store, 'SELECT id FROM path WHERE version IS NULL AND id BETWEEN ? AND ?', first, last))
}

/** A folder that is entered, not recorded by name only. */
export function isEnteredFolder(store: Readable, id: PathId): boolean {
  const sql =
    'SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.id = ? AND v.kind = 3 AND v.reason IS NULL'
  return exists(store, sql, id)
}

/** Adds a path unless it is known. `version` is null for a new one, and while its initial snapshot is pending. */
export function addPathOnce(
  tx: Writable<Readable>,
  path: string,
  parent: PathId
): { readonly id: PathId; readonly version: VersionId | null } {
  const added = run(tx, 'INSERT INTO path(parent, name) VALUES (?, ?) ON CONFLICT(name) DO NOTHING', parent, path)
  const known = added.changes > 0 ? null : get<Head>(tx, 'SELECT id, version FROM path WHERE name = ?', path)
  return known ?? { id: added.id, version: null }
}

/** A new path that waits for its first version. */
export function addPending(tx: Writable<Readable>, id: PathId, parent: PathId, path: string): void {
  run(tx, 'INSERT INTO path(id, parent, name) VALUES (?, ?, ?)', id, parent, path)
}

/** Grows with each path that is added. */
export function lastPathId(store: Readable): PathId {
  return count(store, 'SELECT max(id) FROM path')
}

/** Nothing was recorded yet. */
export function hasOnlyRoot(store: Readable): boolean {
  return !exists(store, 'SELECT 1 FROM path WHERE id > 1') && !exists(store, 'SELECT 1 FROM content')
}

interface FolderRow {
  /** Null: it has one. */
  readonly version: VersionId | null
  readonly signature: Signature
  /** When it was read, ms. */
  readonly statAt: number
  readonly covered: boolean
}

/** Sets the stat of a folder, and its version and mode unless it has them. */
export function setFolder(
  tx: Writable<Readable>,
  id: PathId,
  { version, signature, statAt, covered }: FolderRow
): void {
  const { ino, size, mtime, ctime, mode } = signature
  const sql = `UPDATE path SET version = coalesce(version, ?), ino = ?, size = ?, mtime = ?, ctime = ?, mode = coalesce(mode, ?),
    seen = ?, covered = ? WHERE id = ?`
  run(tx, sql, version, ino, size, mtime, ctime, mode, statAt, covered ? 1 : 0, id)
}
