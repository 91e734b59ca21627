/** The log's repositories on one connection. They map rows to objects; rules are in log/ and capture/. */
import type { Db } from '../db/open.ts'
import { createEdits, type Edits } from './edits.ts'
import { createHeads, type Heads } from './paths.ts'
import { createStatCache, type StatCache } from './stat-cache.ts'
import { createVersions, type Versions } from './versions.ts'

export type Records = Versions & Heads & StatCache & Edits

export function createRecords(db: Db): Records {
  return { ...createVersions(db), ...createHeads(db), ...createStatCache(db), ...createEdits(db) }
}
