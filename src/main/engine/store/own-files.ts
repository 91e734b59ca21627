/** Files of a worktree's history that it does not share with the main folder's. */
import { isWithin } from '../files/paths.ts'
import { EVICTED_CODEC, SHARED } from './codec.ts'
import { placesOfContent } from './edits.ts'
import type { Store } from './open-store.ts'
import { all, type Readable } from './sql.ts'

export interface OwnFile {
  readonly path: string
  readonly version: number
  readonly content: number
  readonly size: number
  /** SHA-256, hex. */
  readonly hash: string
}

/** Files at a position whose contents are stored in this history itself, sorted by path. */
export function ownFilesAt(store: Readable, seq: number): OwnFile[] {
  const then = `coalesce((SELECT e.before FROM edit e WHERE e.path = p.id AND e.seq > ? ORDER BY e.seq LIMIT 1), p.version)`
  const sql = `SELECT p.name AS path, v.id AS version, c.id AS content, v.size, lower(hex(c.hash)) AS hash
    FROM path p JOIN version v ON v.id = ${then} JOIN content c ON c.id = v.content
    WHERE v.kind = 1 AND c.hash IS NOT NULL AND c.codec NOT IN (?, ?) ORDER BY p.name`
  return all(store, sql, seq, EVICTED_CODEC, SHARED)
}

/**
 * Whether some path had these bytes at some position, and they are still stored. `except`: a folder that does not count;
 * null without one.
 */
export function holdsFile(store: Store, hash: string, except: string | null): boolean {
  const content = store.content.find(Buffer.from(hash, 'hex'))
  if (content === null) return false
  return placesOfContent(store, content).some(({ path }) => except === null || !isWithin(path, except))
}
