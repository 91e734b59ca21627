/** Rows of paths: what is recorded of each now, and the stat that was taken with it. */
import type { FileKind } from '../../../contract/log.ts'
import type { Db } from '../db/open.ts'
import type { DiskKind, Signature } from '../files/signature.ts'
import { kindOf, type VersionId } from './versions.ts'

export type PathId = number

/** A path's row: its newest recorded version (`null` = first copy still to come) and the stat taken with it. */
export interface Head {
  readonly id: PathId
  readonly parent: PathId
  readonly path: string
  readonly version: VersionId | null
  /** Newest Edit, 0 = still the baseline. */
  readonly edit: number
  readonly signature: Signature | null
  readonly seen: number
  readonly covered: boolean
}

export interface Heads {
  head(path: string): Head | null
  headById(id: PathId): Head
  children(id: PathId): Head[]
  /** Rows strictly below a folder, by name. */
  below(path: string): Head[]
  addPath(path: string, parent: PathId): PathId
  /** Sets what is recorded now. `edit` 0 keeps the present one. */
  setHead(id: PathId, version: VersionId, edit: number, signature: Signature | null, seen: number): void
  setSignature(id: PathId, signature: Signature | null, seen: number): void
  setCovered(id: PathId, covered: boolean): void
}

interface PathRow {
  id: number
  parent: number
  name: string
  version: number | null
  edit: number
  ino: number | null
  size: number | null
  mtime: number | null
  ctime: number | null
  mode: number | null
  seen: number
  covered: number
  kind: number | null
}

export function createHeads(db: Db): Heads {
  const HEAD = 'SELECT p.*, (SELECT v.kind FROM version v WHERE v.id = p.version) AS kind FROM path p'
  const headByName = db.prepare(`${HEAD} WHERE p.name = ?`)
  const headById = db.prepare(`${HEAD} WHERE p.id = ?`)
  const childrenOf = db.prepare(`${HEAD} WHERE p.parent = ?`)
  const belowOf = db.prepare(`${HEAD} WHERE p.name > ? AND p.name < ? ORDER BY p.name`)
  const insertPath = db.prepare('INSERT INTO path(parent, name) VALUES (?, ?)')
  const updateHead = db.prepare(
    'UPDATE path SET version = ?, edit = iif(? = 0, edit, ?), ino = ?, size = ?, mtime = ?, ctime = ?, mode = ?, seen = ? WHERE id = ?'
  )
  const updateSignature = db.prepare(
    'UPDATE path SET ino = ?, size = ?, mtime = ?, ctime = ?, mode = ?, seen = ? WHERE id = ?'
  )
  const updateCovered = db.prepare('UPDATE path SET covered = ? WHERE id = ?')

  const sig = (s: Signature | null): (number | null)[] =>
    s ? [s.ino, s.size, s.mtime, s.ctime, s.mode] : [null, null, null, null, null]

  return {
    head: (path) => toHead(headByName.get(path) as PathRow | undefined),
    headById: (id) => {
      const head = toHead(headById.get(id) as PathRow | undefined)
      if (!head) throw new Error(`path ${id} is missing`)
      return head
    },
    children: (id) => (childrenOf.all(id) as PathRow[]).map((row) => toHead(row) as Head),
    below: (path) =>
      (path === ''
        ? (db.prepare(`${HEAD} WHERE p.name > ''`).all() as PathRow[])
        : (belowOf.all(`${path}/`, `${path}0`) as PathRow[])
      ).map((row) => toHead(row) as Head),
    addPath: (path, parent) => Number(insertPath.run(parent, path).lastInsertRowid),
    setHead: (id, version, edit, signature, seen) => {
      updateHead.run(version, edit, edit, ...sig(signature), seen, id)
    },
    setSignature: (id, signature, seen) => {
      updateSignature.run(...sig(signature), seen, id)
    },
    setCovered: (id, covered) => {
      updateCovered.run(covered ? 1 : 0, id)
    }
  }
}

function toHead(row: PathRow | undefined): Head | null {
  if (!row) return null
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
            size: row.size as number,
            mtime: row.mtime as number,
            ctime: row.ctime as number,
            mode: row.mode as number
          },
    seen: row.seen,
    covered: row.covered === 1
  }
}

function diskKind(kind: FileKind): DiskKind {
  return kind === 'file' || kind === 'symlink' || kind === 'dir' ? kind : 'special'
}
