/**
 * Owns table `edit`, the log of a workspace: append-only, one row per change of a path (LG-1, LG-2). Edits
 * are never deleted, and only their `drift` is ever changed, when a drift is split (drift/drifts.ts).
 */
import type { Attribution, Origin } from '../../../contract/log.ts'
import type { Db } from '../db/open.ts'
import type { PathId } from './heads.ts'
import type { VersionId } from './versions.ts'

export interface EditRow {
  readonly seq: number
  readonly path: PathId
  /** The path's version before this edit: the `after` of its previous edit (LG-2). */
  readonly before: VersionId
  readonly after: VersionId
  readonly origin: Origin
  readonly attribution: Attribution
  /** The edit of the same path that this one builds on; 0 is the version before the first. For a restore: the edit it returns to. */
  readonly base: number
  /** When it was recorded, ms UTC. */
  readonly at: number
  /** The restore that wrote it. */
  readonly restore: string | null
  /** The drift that collects it, for outside edits. */
  readonly drift: string | null
  /** A restore that merged: it builds on the edit before it and omits hunks of earlier ones (table `restore_without`). */
  readonly merge: boolean
  /** Edits that this merge omits completely. Read only by `edit(seq)`; empty in lists and for other edits. */
  readonly omits: readonly number[]
}

export interface Edits {
  /** Appends an edit and returns its seq. Call inside a transaction. */
  addEdit(edit: Omit<EditRow, 'seq' | 'omits' | 'merge'> & { readonly merge?: boolean }): number
  /** Throws if there is none. */
  edit(seq: number): EditRow
  /** Seq of the newest edit, 0 in an empty log. */
  lastSeq(): number
  /** Edits of one path, newest first. */
  editsOf(path: PathId): EditRow[]
  /** The newest edit of a path before `seq`. */
  editBefore(path: PathId, seq: number): EditRow | null
  /** The first edit of a path after `seq`. Its `before` is the path's version at `seq`. */
  editAfter(path: PathId, seq: number): EditRow | null
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

/** Index = number in the column. */
const ORIGINS: readonly Origin[] = ['outside', 'agent', 'restore']
const ATTRIBUTIONS: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

export function createEdits(db: Db): Edits {
  const insertEdit = db.prepare(
    'INSERT INTO edit(path, before, after, origin, attribution, base, at, restore, drift, merge) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  )
  const editBySeq = db.prepare('SELECT * FROM edit WHERE seq = ?')
  const omittedEdits = db.prepare(
    'SELECT DISTINCT w.seq FROM restore_without w JOIN path p ON p.name = w.path JOIN edit e ON e.path = p.id WHERE w.restore = ? AND e.seq = ? AND w.whole = 1'
  )
  const maxSeq = db.prepare('SELECT max(seq) AS seq FROM edit')
  const editsOfPath = db.prepare('SELECT * FROM edit WHERE path = ? ORDER BY seq DESC')
  const editBeforeSeq = db.prepare('SELECT * FROM edit WHERE path = ? AND seq < ? ORDER BY seq DESC LIMIT 1')
  const editAfterSeq = db.prepare('SELECT * FROM edit WHERE path = ? AND seq > ? ORDER BY seq LIMIT 1')

  return {
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
        ? { ...edit, omits: omittedEdits.all(edit.restore, seq).map((omitted) => (omitted as { seq: number }).seq) }
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
    omits: [],
    origin: ORIGINS[row.origin] as Origin,
    attribution: ATTRIBUTIONS[row.attribution] as Attribution
  }
}
