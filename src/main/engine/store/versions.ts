/** Owns table `version`: what a path was at some position, and which content row holds its bytes. Rows never change. */
import type { FileKind, FileVersion, NotStoredReason } from '../../../contract/log.ts'
import { EVICTED_CODEC } from './codec.ts'
import type { Content } from './content.ts'
import type { ContentAtHand } from './large-reads.ts'
import { all, get, type Readable, run, scalar, type Writable } from './sql.ts'

export type VersionId = number

/** A FileVersion with its row id and the row id of its content, which is null when nothing is stored. */
export interface StoredVersion extends FileVersion {
  readonly id: VersionId
  readonly content: number | null
}

/** Exact bytes of a stored file version; null for anything else. `like`: as of `get`. Throws StoreDamaged. */
export function readStoredContent(
  store: { readonly content: Pick<Content, 'get'> },
  { kind, notStored, content, size }: Pick<StoredVersion, 'kind' | 'notStored' | 'content' | 'size'>,
  like: ContentAtHand | null = null
): Buffer | null {
  if (kind !== 'file' || notStored !== null || typeof content !== 'number') return null
  return store.content.get(content, size, like)
}

/** Drops the row ids, which mean nothing outside the store. */
export function toFileVersion({ kind, size, mode, hash, target, notStored }: FileVersion): FileVersion {
  return { kind, size, mode, hash, target, notStored }
}

interface VersionRow extends Omit<StoredVersion, 'kind' | 'notStored'> {
  readonly kind: number
  readonly reason: NotStoredReason | null
  /** Of its content; -1 if it is damaged. */
  readonly codec: number | null
}

/** The number of a kind in column `version.kind`. */
export function kindNumber(kind: FileKind): number {
  return KINDS.indexOf(kind)
}

export function kindOf(number: number): FileKind {
  return KINDS[number] as FileKind
}

/** Index = number in the column. */
const KINDS: readonly FileKind[] = ['absent', 'file', 'symlink', 'dir', 'special', 'unknown']

// Subqueries instead of a join: better-sqlite3 needs 15 us more to read one row of a join. The hash as text: a Buffer
// takes longer to make than the rest of the row.
const VERSIONS = `SELECT v.*, (SELECT lower(hex(c.hash)) FROM content c WHERE c.id = v.content) AS hash,
  (SELECT iif(c.damaged = 1, -1, c.codec) FROM content c WHERE c.id = v.content) AS codec FROM version v`
const VERSION = `${VERSIONS} WHERE v.id = ?`
const VERSIONS_BY_ID = `${VERSIONS} WHERE v.id IN (SELECT value FROM json_each(?))`

const LOST = `SELECT v.id FROM version v LEFT JOIN content c ON c.id = v.content
  WHERE v.id IN (SELECT value FROM json_each(?)) AND v.content IS NOT NULL
    AND (c.id IS NULL OR c.damaged = 1 OR c.codec = ${EVICTED_CODEC}) LIMIT 1`

/** Only the content row knows that it was evicted or damaged: storing the same bytes again repairs every version. */
function lossOf({ content, codec }: VersionRow): NotStoredReason | null {
  if (content === null) return null
  if (codec === EVICTED_CODEC) return 'pruned'
  return codec === null || codec < 0 ? 'damaged' : null
}

export function versionReads(store: Readable) {
  /** Those that exist of many, in no order. */
  const readVersions = (ids: Iterable<VersionId>): StoredVersion[] =>
    all<VersionRow>(store, VERSIONS_BY_ID, JSON.stringify([...new Set(ids)])).map(toVersion)
  return {
    /** Row ids of the versions in fixed-versions.ts. Inserted by open-store.ts before any other row. */
    absent: 1,
    unknown: 2,
    /** Throws if there is none. */
    version: (id: VersionId): StoredVersion => {
      const row = get<VersionRow>(store, VERSION, id)
      if (!row) throw missingVersion(id)
      return toVersion(row)
    },
    /** Many at once, by their ids. What it returns throws for one that does not exist, or was not asked for. */
    versionsById: (ids: readonly VersionId[]): ((id: VersionId) => StoredVersion) => {
      const versions = new Map(readVersions(ids).map((version) => [version.id, version]))
      return (id) => {
        const version = versions.get(id)
        if (!version) throw missingVersion(id)
        return version
      }
    },
    readVersions,
    /** One of these whose content was evicted, or found to be damaged; null if there is none. */
    findLost: (ids: readonly VersionId[]): VersionId | null => scalar(store, LOST, JSON.stringify(ids))
  }
}

function missingVersion(id: VersionId): Error {
  return new Error(`version ${id} is missing`)
}

function toVersion(row: VersionRow): StoredVersion {
  return {
    id: row.id,
    kind: kindOf(row.kind),
    size: row.size,
    mode: row.mode,
    content: row.content,
    hash: row.hash || null,
    target: row.target,
    notStored: lossOf(row) ?? row.reason
  }
}

export function versionWrites(tx: Writable<Readable>) {
  const sql = 'INSERT INTO version(kind, size, mode, content, target, reason) VALUES (?, ?, ?, ?, ?, ?)'
  return {
    addVersion: ({ kind, size, mode, target, notStored }: FileVersion, content: number | null): VersionId =>
      run(tx, sql, kindNumber(kind), size, mode, content, target, notStored).id
  }
}
