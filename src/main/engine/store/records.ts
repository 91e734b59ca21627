/** The log's repositories on one connection. They map rows to objects; rules are in log/ and capture/. */
import type { Db } from '../db/open.ts'
import { createEdits, type Edits, type EditWrites } from './edits.ts'
import { createHeads, type Heads, type HeadWrites } from './paths.ts'
import { createStatCache, type StatCache } from './stat-cache.ts'
import { createVersions, type Versions, type VersionWrites } from './versions.ts'

export type Records = Versions & Heads & StatCache & Edits
export type RecordWrites = VersionWrites & HeadWrites & EditWrites

export function createRecords(db: Db): Records & RecordWrites {
  return { ...createVersions(db), ...createHeads(db), ...createStatCache(db), ...createEdits(db) }
}
