/** Rows of the states a path was in: what it was, and where its content is kept. */
import type { FileKind, FileVersion, NotStoredReason } from '../../../contract/log.ts'
import type { Db } from '../db/open.ts'
import { EMPTIED } from './codec.ts'

export type VersionId = number

/** A FileVersion with where it is stored. */
export interface StoredVersion extends FileVersion {
  readonly id: VersionId
  readonly content: number | null
}

/** What a version is, without where it is stored: that is the store's own business. */
export function plainVersion({ kind, size, mode, hash, target, notStored }: FileVersion): FileVersion {
  return { kind, size, mode, hash, target, notStored }
}

export interface Versions {
  version(id: VersionId): StoredVersion
  addVersion(version: FileVersion, content: number | null): VersionId
  /** Ids of the two versions every store has. */
  readonly absent: VersionId
  readonly unknown: VersionId
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

/** A kind's number in the schema. */
export function kindNumber(kind: FileKind): number {
  return KINDS.indexOf(kind)
}

export function kindOf(number: number): FileKind {
  return KINDS[number] as FileKind
}

const KINDS: readonly FileKind[] = ['absent', 'file', 'symlink', 'dir', 'special', 'unknown']

export function createVersions(db: Db): Versions {
  // Looked up inside, not joined: reading one row of a join costs this library 15 us more.
  const versionById = db.prepare(
    `SELECT v.*, (SELECT c.hash FROM content c WHERE c.id = v.content) AS hash,
       (SELECT c.codec FROM content c WHERE c.id = v.content) AS codec FROM version v WHERE v.id = ?`
  )
  const insertVersion = db.prepare(
    'INSERT INTO version(kind, size, mode, content, target, reason) VALUES (?, ?, ?, ?, ?, ?)'
  )

  return {
    // Rows of fixed-versions.ts, made by open-store.ts before anything else.
    absent: 1,
    unknown: 2,
    version: (id) => {
      const row = versionById.get(id) as VersionRow | undefined
      if (!row) throw new Error(`version ${id} is missing`)
      return {
        id: row.id,
        kind: kindOf(row.kind),
        size: row.size,
        mode: row.mode,
        content: row.content,
        hash: row.hash ? row.hash.toString('hex') : null,
        target: row.target,
        // Emptied content may be filled again, so that it is gone is said by the content alone.
        notStored: row.codec === EMPTIED ? 'pruned' : (row.reason as NotStoredReason | null)
      }
    },
    addVersion: (version, content) =>
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
  }
}
