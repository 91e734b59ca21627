/** The log's rows: each change of a path, before and after. */
import type { Attribution, Origin } from '../../../contract/log.ts'
import type { Db } from '../db/open.ts'
import type { PathId } from './heads.ts'
import type { VersionId } from './versions.ts'

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

export interface Edits {
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

const ORIGINS: readonly Origin[] = ['outside', 'agent', 'restore']
const ATTRIBUTIONS: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

export function createEdits(db: Db): Edits {
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
