/** Rows of the log as objects: versions, paths with their head, edits. No rules live here, only reading and writing. */
import type { Attribution, FileKind, FileVersion, NotStoredReason, Origin } from '../../../contract/domain.ts'
import type { Db } from '../db/open.ts'
import type { DiskKind, Signature } from '../files/signature.ts'
import { EMPTIED } from './codec.ts'
import { createGlances, type Glance } from './glances.ts'

const KINDS: readonly FileKind[] = ['absent', 'file', 'symlink', 'dir', 'special', 'unknown']
const ORIGINS: readonly Origin[] = ['outside', 'agent', 'restore']
const ATTRIBUTIONS: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

export type VersionId = number
export type PathId = number

/** A FileVersion with where it is stored. */
export interface StoredVersion extends FileVersion {
  readonly id: VersionId
  readonly content: number | null
}

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

export interface EditRow {
  readonly seq: number
  readonly path: PathId
  readonly before: VersionId
  readonly after: VersionId
  readonly origin: Origin
  readonly attribution: Attribution
  readonly base: number
  readonly at: number
  readonly restore: string | null
  readonly drift: string | null
  /** A restore that merged: it stands on the Edit before it and leaves hunks out (`restore_without`). */
  readonly merge: boolean
  /** Edits a merge left out whole; empty for every other Edit. */
  readonly leaves: readonly number[]
}

export const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }
export const UNKNOWN: FileVersion = { ...ABSENT, kind: 'unknown' }

export interface Records {
  version(id: VersionId): StoredVersion
  addVersion(version: FileVersion, content: number | null): VersionId
  /** Ids of the two versions every store has. */
  readonly absent: VersionId
  readonly unknown: VersionId
  head(path: string): Head | null
  headById(id: PathId): Head
  children(id: PathId): Head[]
  /** The rows directly in these folders, bare, in pages. */
  glances(folders: readonly PathId[]): Generator<readonly Glance[]>
  /** Rows strictly below a folder, by name. */
  below(path: string): Head[]
  addPath(path: string, parent: PathId): PathId
  /** Sets what is recorded now. `edit` 0 keeps the present one. */
  setHead(id: PathId, version: VersionId, edit: number, signature: Signature | null, seen: number): void
  setSignature(id: PathId, signature: Signature | null, seen: number): void
  setCovered(id: PathId, covered: boolean): void
  addEdit(edit: Omit<EditRow, 'seq' | 'leaves' | 'merge'> & { readonly merge?: boolean }): number
  edit(seq: number): EditRow
  lastSeq(): number
  /** Edits of one path, newest first. */
  editsOf(path: PathId): EditRow[]
  /** The Edit of a path before `seq`, if any. */
  editBefore(path: PathId, seq: number): EditRow | null
  /** The first Edit of a path after `seq`, if any: its `before` is the state at `seq`. */
  editAfter(path: PathId, seq: number): EditRow | null
}

interface VersionRow {
  id: number
  kind: number
  size: number
  mode: number
  content: number | null
  hash: Buffer | null
  target: string | null
  reason: string | null
  codec: number | null
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
interface RawEdit {
  seq: number
  path: number
  before: number
  after: number
  origin: number
  attribution: number
  base: number
  at: number
  restore: string | null
  drift: string | null
  merge: number
}

export function kindNumber(kind: FileKind): number {
  return KINDS.indexOf(kind)
}

export function createRecords(db: Db): Records {
  // Looked up inside, not joined: reading one row of a join costs this library 15 us more.
  const versionById = db.prepare(
    `SELECT v.*, (SELECT c.hash FROM content c WHERE c.id = v.content) AS hash,
       (SELECT c.codec FROM content c WHERE c.id = v.content) AS codec FROM version v WHERE v.id = ?`
  )
  const insertVersion = db.prepare(
    'INSERT INTO version(kind, size, mode, content, target, reason) VALUES (?, ?, ?, ?, ?, ?)'
  )
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
  const insertEdit = db.prepare(
    'INSERT INTO edit(path, before, after, origin, attribution, base, at, restore, drift, merge) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  )
  const editBySeq = db.prepare('SELECT * FROM edit WHERE seq = ?')
  const leftOut = db.prepare(
    'SELECT DISTINCT w.seq FROM restore_without w JOIN path p ON p.name = w.path JOIN edit e ON e.path = p.id WHERE w.restore = ? AND e.seq = ? AND w.whole = 1'
  )
  const maxSeq = db.prepare('SELECT max(seq) AS seq FROM edit')
  const editsOfPath = db.prepare('SELECT * FROM edit WHERE path = ? ORDER BY seq DESC')
  const editBeforeSeq = db.prepare('SELECT * FROM edit WHERE path = ? AND seq < ? ORDER BY seq DESC LIMIT 1')
  const editAfterSeq = db.prepare('SELECT * FROM edit WHERE path = ? AND seq > ? ORDER BY seq LIMIT 1')

  const sig = (s: Signature | null): (number | null)[] =>
    s ? [s.ino, s.size, s.mtime, s.ctime, s.mode] : [null, null, null, null, null]

  const addVersion = (version: FileVersion, content: number | null): number =>
    Number(
      insertVersion.run(
        kindNumber(version.kind),
        version.size,
        version.mode,
        content,
        version.target,
        version.notStored
      ).lastInsertRowid
    )

  return {
    // The two rows are made with the store (open-store.ts), before anything else.
    absent: 1,
    unknown: 2,
    version: (id) => {
      const row = versionById.get(id) as VersionRow | undefined
      if (!row) throw new Error(`version ${id} is missing`)
      return {
        id: row.id,
        kind: KINDS[row.kind] as FileKind,
        size: row.size,
        mode: row.mode,
        content: row.content,
        hash: row.hash ? row.hash.toString('hex') : null,
        target: row.target,
        // Emptied content may be filled again, so that it is gone is said by the content alone.
        notStored: row.codec === EMPTIED ? 'pruned' : (row.reason as NotStoredReason | null)
      }
    },
    addVersion,
    head: (path) => toHead(headByName.get(path) as PathRow | undefined),
    headById: (id) => {
      const head = toHead(headById.get(id) as PathRow | undefined)
      if (!head) throw new Error(`path ${id} is missing`)
      return head
    },
    glances: createGlances(db),
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
    },
    addEdit: (edit) =>
      Number(
        insertEdit.run(
          edit.path,
          edit.before,
          edit.after,
          ORIGINS.indexOf(edit.origin),
          ATTRIBUTIONS.indexOf(edit.attribution),
          edit.base,
          edit.at,
          edit.restore,
          edit.drift,
          edit.merge ? 1 : 0
        ).lastInsertRowid
      ),
    edit: (seq) => {
      const row = editBySeq.get(seq) as RawEdit | undefined
      if (!row) throw new Error(`edit ${seq} is missing`)
      const edit = toEdit(row)
      return edit.merge
        ? { ...edit, leaves: leftOut.all(edit.restore, seq).map((one) => (one as { seq: number }).seq) }
        : edit
    },
    lastSeq: () => (maxSeq.get() as { seq: number | null }).seq ?? 0,
    editsOf: (path) => (editsOfPath.all(path) as RawEdit[]).map(toEdit),
    editBefore: (path, seq) => {
      const row = editBeforeSeq.get(path, seq) as RawEdit | undefined
      return row ? toEdit(row) : null
    },
    editAfter: (path, seq) => {
      const row = editAfterSeq.get(path, seq) as RawEdit | undefined
      return row ? toEdit(row) : null
    }
  }
}

export function toEdit(row: RawEdit): EditRow {
  return {
    ...row,
    merge: row.merge === 1,
    leaves: [],
    origin: ORIGINS[row.origin] as Origin,
    attribution: ATTRIBUTIONS[row.attribution] as Attribution
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
            kind: diskKind(KINDS[row.kind ?? 0] as FileKind),
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
