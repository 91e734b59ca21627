/**
 * Owns table `edit`, the log of a workspace: append-only, one row per change of a path (LG-1, LG-2). Edits
 * are never deleted. Changed are only their `drift`, when a drift is split (drifts.ts), and `moved_from`, in the
 * transaction that appended them or the next one.
 */
import type { AffectedPath } from '../../../contract/doctor.ts'
import type { Attribution, Origin, Seq } from '../../../contract/log.ts'
import type { PathId } from './paths.ts'
import { all, column, exists, get, type Readable, run, scalar, tuples, type Writable } from './sql.ts'
import type { VersionId } from './versions.ts'

export interface EditRow {
  readonly seq: number
  readonly path: PathId
  /** The path's version before this edit: the `after` of its previous edit (LG-2). */
  readonly before: VersionId
  readonly after: VersionId
  readonly origin: Origin
  readonly attribution: Attribution
  /**
   * The edit of the same path that this one builds on; 0 is the version before the first. For a restore: the edit it
   * returns to.
   */
  readonly base: number
  /** When it was recorded, ms UTC. */
  readonly at: number
  /** The restore that wrote it. */
  readonly restore: string | null
  /** The drift that collects it, for outside edits. */
  readonly drift: string | null
  /**
   * A restore that merged: it builds on the edit before it and omits hunks of earlier ones (table `restore_without`).
   */
  readonly merge: boolean
  /** Edits that this merge omits completely. Read only by `edit(seq)`; empty in lists and for other edits. */
  readonly omits: readonly number[]
  /** The oldest edit of which this merge omits something. Read as `omits` is; null for other edits. */
  readonly omitsSince: number | null
  /** [LG-7] The edit by which another path lost the content that came here: a rename. */
  readonly movedFrom: number | null
}

interface RawEdit extends Omit<EditRow, 'origin' | 'attribution' | 'merge' | 'omits' | 'omitsSince' | 'movedFrom'> {
  readonly origin: number
  readonly attribution: number
  readonly merge: number
  readonly moved_from: number | null
}

type RawEnums = Pick<RawEdit, 'origin' | 'attribution'>

/** Index = number in the column. */
const ORIGINS: readonly Origin[] = ['outside', 'agent', 'restore']
const ATTRIBUTIONS: readonly Attribution[] = ['none', 'declared', 'inferred', 'shared']

const OMITTED_EDITS = `SELECT w.seq, max(w.whole) AS whole FROM restore_without w
  JOIN path p ON p.name = w.path JOIN edit e ON e.path = p.id WHERE w.restore = ? AND e.seq = ? GROUP BY w.seq ORDER BY w.seq`
const EDIT_BEFORE = 'SELECT * FROM edit WHERE path = ? AND seq < ? ORDER BY seq DESC LIMIT 1'
const ARRIVAL = 'SELECT * FROM edit WHERE moved_from = ?'
const DEPARTURES = `SELECT * FROM edit d WHERE d.path = ?
  AND EXISTS (SELECT 1 FROM edit a WHERE a.moved_from = d.seq) ORDER BY d.seq`
const EDITS_OF_PATHS = `SELECT * FROM edit WHERE path IN (SELECT value FROM json_each(?)) AND seq >= ?
  ORDER BY path, seq LIMIT ?`
const EDITS_BY_SEQ = 'SELECT * FROM edit WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq'
const ARRIVALS_OF = 'SELECT * FROM edit WHERE moved_from IN (SELECT value FROM json_each(?))'
const DEPARTURES_FROM_PATHS = `SELECT * FROM edit d WHERE d.path IN (SELECT value FROM json_each(?))
  AND EXISTS (SELECT 1 FROM edit a WHERE a.moved_from = d.seq) ORDER BY d.seq`
const EDIT_AFTER = 'SELECT * FROM edit WHERE path = ? AND seq > ? ORDER BY seq LIMIT 1'

export function editReads(store: Readable) {
  const find = (sql: string, ...values: number[]): EditRow | null => {
    const row = get<RawEdit>(store, sql, ...values)
    return row && toEdit(row)
  }
  const many = (sql: string, values: readonly number[], ...more: number[]): EditRow[] =>
    all<RawEdit>(store, sql, JSON.stringify(values), ...more).map(toEdit)
  const withOmits = (edit: EditRow): EditRow => {
    if (!edit.merge) return edit
    const omitted = all<{ seq: number; whole: 0 | 1 }>(store, OMITTED_EDITS, edit.restore, edit.seq)
    const omits = omitted.filter(({ whole }) => whole === 1).map(({ seq }) => seq)
    return { ...edit, omits, omitsSince: omitted[0]?.seq ?? null }
  }
  return {
    /** Throws if there is none. */
    edit: (seq: Seq): EditRow => {
      const edit = find('SELECT * FROM edit WHERE seq = ?', seq)
      if (!edit) throw new Error(`edit ${seq} is missing`)
      return withOmits(edit)
    },
    /** Many at once, in log order, each as `edit` returns it; without those that do not exist. */
    editsBySeq: (seqs: readonly Seq[]): EditRow[] => many(EDITS_BY_SEQ, seqs).map(withOmits),
    /** Null if there is no such edit. */
    pathOfEdit: (seq: Seq): PathId | null => scalar(store, 'SELECT path FROM edit WHERE seq = ?', seq),
    /** Seq of the newest edit, 0 in an empty log. */
    lastSeq: (): Seq => scalar<Seq>(store, 'SELECT max(seq) FROM edit') ?? 0,
    /** Edits of one path, newest first. */
    editsOf: (path: PathId): EditRow[] =>
      all<RawEdit>(store, 'SELECT * FROM edit WHERE path = ? ORDER BY seq DESC', path).map(toEdit),
    /**
     * Edits of many paths from `since` on, oldest first, each as `edit` returns it. At most `limit` edits are read, by the
     * ids of their paths: the path where that ends and those behind it are missing.
     */
    editsOfPaths: (
      paths: readonly PathId[],
      { limit = -1, since = 0 }: { readonly limit?: number; readonly since?: number } = {}
    ): Map<PathId, EditRow[]> => {
      const found = new Map<PathId, EditRow[]>(paths.map((path) => [path, []]))
      const rows = many(EDITS_OF_PATHS, paths, since, limit)
      for (const edit of rows) found.get(edit.path)?.push(withOmits(edit))
      const last = rows.length === limit ? rows.at(-1)?.path : undefined
      if (last !== undefined) for (const path of paths) if (path >= last) found.delete(path)
      return found
    },
    /** The newest edit of a path before `seq`. */
    editBefore: (path: PathId, seq: Seq): EditRow | null => find(EDIT_BEFORE, path, seq),
    /** The first edit of a path after `seq`. Its `before` is the path's version at `seq`. */
    editAfter: (path: PathId, seq: Seq): EditRow | null => find(EDIT_AFTER, path, seq),
    /** [LG-7] The edit of another path that received the content which the edit `seq` took away. */
    arrivalOf: (seq: Seq): EditRow | null => find(ARRIVAL, seq),
    /** [LG-7] The edits that took content from a path to another one, oldest first. */
    departuresFrom: (path: PathId): EditRow[] => all<RawEdit>(store, DEPARTURES, path).map(toEdit),
    /** [LG-7] The same for many paths, oldest first. */
    departuresFromPaths: (paths: readonly PathId[]): EditRow[] => many(DEPARTURES_FROM_PATHS, paths),
    /** [LG-7] The arrivals of these departures. */
    arrivalsOf: (departures: readonly EditRow[]): EditRow[] =>
      departures.length === 0
        ? []
        : many(
            ARRIVALS_OF,
            departures.map(({ seq }) => seq)
          ),
    /** The newest edit of a path; 0 = the initial snapshot. */
    headOf: (path: PathId): Seq => scalar<Seq>(store, 'SELECT edit FROM path WHERE id = ?', path) ?? 0
  }
}

const INSERT_EDIT =
  'INSERT INTO edit(path, before, after, origin, attribution, base, at, restore, drift, merge) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

/** An edit to append. */
type NewEdit = Omit<EditRow, 'seq' | 'omits' | 'omitsSince' | 'merge' | 'movedFrom'> & { readonly merge?: boolean }

export function editWrites(tx: Writable<Readable>) {
  return {
    /** Appends an edit and returns its seq. */
    addEdit: (edit: NewEdit): Seq => {
      const { path, before, after, base, at, restore, drift, merge } = edit
      const origin = ORIGINS.indexOf(edit.origin)
      const attribution = ATTRIBUTIONS.indexOf(edit.attribution)
      return run(tx, INSERT_EDIT, path, before, after, origin, attribution, base, at, restore, drift, merge ? 1 : 0).id
    },
    /** [LG-7] Records that the content of `arrival` came from the path that lost it with `departure`. */
    setMovedFrom: (arrival: Seq, departure: Seq): void => {
      run(tx, 'UPDATE edit SET moved_from = ? WHERE seq = ?', departure, arrival)
    }
  }
}

/** Field by field: copies of all of them take twice as long, and a history has many. */
function toEdit(row: RawEdit): EditRow {
  const { seq, path, before, after, base, at, restore, drift } = row
  return {
    seq,
    path,
    before,
    after,
    origin: ORIGINS[row.origin] as Origin,
    attribution: ATTRIBUTIONS[row.attribution] as Attribution,
    base,
    at,
    restore,
    drift,
    merge: row.merge === 1,
    omits: NONE,
    omitsSince: null,
    movedFrom: row.moved_from
  }
}

const NONE: readonly number[] = []

/** All edits with `after` < seq <= `to`, in log order. */
export function editsBetween(store: Readable, after: Seq, to: Seq): EditRow[] {
  return all<RawEdit>(store, 'SELECT * FROM edit WHERE seq > ? AND seq <= ? ORDER BY seq', after, to).map(toEdit)
}

/** The edits of a tool call, in log order. */
export function editRowsOfCall(
  store: Readable,
  call: { readonly id: string; readonly run: string },
  after: Seq,
  to: Seq
): EditRow[] {
  const sql = `SELECT e.* FROM edit_call c JOIN edit e ON e.seq = c.edit
     WHERE c.run = ? AND c.edit > ? AND c.edit <= ? AND c.call = ? ORDER BY e.seq`
  return all<RawEdit>(store, sql, call.run, after, to, call.id).map(toEdit)
}

export function seqsOfDrift(store: Readable, drift: string): Seq[] {
  return column(store, 'SELECT seq FROM edit WHERE drift = ?', drift)
}

export function seqsOfRestore(store: Readable, restore: string): Seq[] {
  return column(store, 'SELECT seq FROM edit WHERE restore = ?', restore)
}

/** Paths with an edit after a position. */
export function pathsEditedAfter(store: Readable, seq: Seq): PathId[] {
  return column(store, 'SELECT DISTINCT path FROM edit WHERE seq > ?', seq)
}

/** Of each path with an edit after a position, the version that it had there. */
export function versionsBefore(store: Readable, seq: Seq): Map<PathId, VersionId> {
  // The newest edit first, so that the first one after the position is kept.
  return new Map(
    tuples<[PathId, VersionId]>(store, 'SELECT path, before FROM edit WHERE seq > ? ORDER BY seq DESC', seq)
  )
}

/** Names of at most `limit` paths with an edit after a position. */
export function pathNamesEditedAfter(store: Readable, seq: Seq, limit: number): string[] {
  const sql = 'SELECT name FROM path WHERE id IN (SELECT path FROM edit WHERE seq > ?) LIMIT ?'
  return column(store, sql, seq, limit)
}

/** [LG-7] Paths from which or to which content was ever moved. */
export function movedPaths(store: Readable): PathId[] {
  const from = 'SELECT d.path FROM edit a JOIN edit d ON d.seq = a.moved_from WHERE a.moved_from IS NOT NULL'
  return column(store, `SELECT path FROM edit WHERE moved_from IS NOT NULL UNION ${from}`)
}

/** Paths that a restore wrote. */
export function pathsOfRestore(store: Readable, restore: string): PathId[] {
  return column(store, 'SELECT DISTINCT path FROM edit WHERE restore = ?', restore)
}

/**
 * [LG-7] Edits before `to` that created (`created`) or deleted a path, not by a restore, are part of no rename yet, and
 * are at least as new as the edit `since` or the time `at`, ms UTC. At most `MOST_RECENT` edits are examined.
 */
export function recentUnpaired(
  store: Readable,
  kind: 'created' | 'deleted',
  { since, at, to }: { readonly since: Seq; readonly at: number; readonly to: Seq }
): EditRow[] {
  // The first of them is found from the end, so that the history before is not read.
  const older =
    scalar<Seq>(store, 'SELECT seq FROM edit WHERE seq < ? AND at < ? ORDER BY seq DESC LIMIT 1', to, at) ?? 0
  const from = Math.max(to - MOST_RECENT, Math.min(since, older + 1))
  // Version 1 is absent in every store.
  const side = kind === 'created' ? 'before = 1 AND moved_from IS NULL' : 'after = 1'
  const sql = `SELECT * FROM edit e WHERE seq >= ? AND seq < ? AND restore IS NULL AND ${side}
    AND NOT EXISTS (SELECT 1 FROM edit a WHERE a.moved_from = e.seq)`
  return all<RawEdit>(store, sql, from, to).map(toEdit)
}

const MOST_RECENT = 20_000

/** [LG-7] The paths from which content came to these. */
export function originsOf(store: Readable, paths: readonly PathId[]): PathId[] {
  const sql = `SELECT DISTINCT d.path FROM edit a JOIN edit d ON d.seq = a.moved_from
    WHERE a.path IN (SELECT value FROM json_each(?))`
  return column(store, sql, JSON.stringify(paths))
}

/** Names of the paths with an edit of this drift. */
export function pathNamesOfDrift(store: Readable, drift: string): string[] {
  const sql = 'SELECT DISTINCT p.name FROM edit e JOIN path p ON p.id = e.path WHERE e.drift = ?'
  return column(store, sql, drift)
}

/** Names of all paths with an edit, sorted. */
export function editedPathNames(store: Readable): string[] {
  const sql = 'SELECT name FROM path WHERE id IN (SELECT path FROM edit) ORDER BY name'
  return column(store, sql)
}

/** Whether a restore wrote something after a position. */
export function wasRestoredAfter(store: Readable, seq: Seq): boolean {
  return exists(store, 'SELECT 1 FROM edit WHERE restore IS NOT NULL AND seq > ? LIMIT 1', seq)
}

/** When the newest edit was recorded, ms UTC; null in an empty log. */
export function lastEditAt(store: Readable): number | null {
  return scalar(store, 'SELECT at FROM edit ORDER BY seq DESC LIMIT 1')
}

/** A path had a version with some content at all positions p with since <= p < upto. */
interface ContentSpan {
  readonly name: string
  readonly since: Seq
  readonly upto: Seq
}

/** Where in the log versions with this content were in force. Content of the newest versions has no such end. */
export function spansOfContent(store: Readable, content: number): ContentSpan[] {
  // A path has the `before` version of edit e from its previous edit on, or from 0 (the initial snapshot).
  const sql = `SELECT p.name, e.seq AS upto,
       coalesce((SELECT max(b.seq) FROM edit b WHERE b.path = e.path AND b.seq < e.seq), 0) AS since
     FROM version v JOIN edit e ON e.before = v.id JOIN path p ON p.id = e.path WHERE v.content = ?`
  return all(store, sql, content)
}

/** The same, and the paths that have the content now, since the edit that gave it to them. Oldest first. */
export function placesOfContent(store: Readable, content: number): AffectedPath[] {
  const sql = `SELECT p.name AS path, p.edit AS since FROM version v JOIN path p ON p.version = v.id WHERE v.content = ?`
  const now = all<Pick<AffectedPath, 'path' | 'since'>>(store, sql, content)
  const before = spansOfContent(store, content).map(({ name, since, upto }) => ({ path: name, since, upto }))
  return [...before, ...now.map((place) => ({ ...place, upto: null }))].sort((a, b) => a.since - b.since)
}

/** An edit with what an event about it names. */
export interface NamedEditRow extends Pick<EditRow, 'seq' | 'at' | 'before' | 'after' | 'origin' | 'attribution'> {
  /** Name of its path. */
  readonly path: string
  /** The drift that first collected it, also if a part of that was closed before the rest. */
  readonly drift: string | null
}

/** At most `limit` edits after a position, in log order. */
export function editsAfter(store: Readable, seq: Seq, limit: number): NamedEditRow[] {
  const sql = `SELECT e.seq, e.at, e.before, e.after, e.origin, e.attribution, p.name AS path,
      coalesce(d.split_from, e.drift) AS drift
    FROM edit e JOIN path p ON p.id = e.path LEFT JOIN drift d ON d.id = e.drift WHERE e.seq > ? ORDER BY e.seq LIMIT ?`
  return all<Omit<NamedEditRow, keyof RawEnums> & RawEnums>(store, sql, seq, limit).map((row) => ({
    ...row,
    origin: ORIGINS[row.origin] as Origin,
    attribution: ATTRIBUTIONS[row.attribution] as Attribution
  }))
}

/** The last edit of a restore: its position and time; null if it has none. */
export function lastEditOfRestore(store: Readable, restore: string): { readonly seq: Seq; readonly at: number } | null {
  return get(store, 'SELECT seq, at FROM edit WHERE restore = ? ORDER BY seq DESC LIMIT 1', restore)
}

/** The newest position after which paths were only deleted; 0 if that is the initial snapshot. */
export function lastSeqWithFiles(store: Readable): number {
  return scalar<number>(store, 'SELECT seq FROM edit WHERE after <> 1 ORDER BY seq DESC LIMIT 1') ?? 0
}
