/** Rows of the log as objects. No rules live here, only reading and writing. */
import type { Db } from '../db/open.ts'
import { createEdits, type Edits } from './edits.ts'
import { createGlances, type Glances } from './glances.ts'
import { createHeads, type Heads } from './heads.ts'
import { createVersions, type Versions } from './versions.ts'

export type Records = Versions & Heads & Glances & Edits

export function createRecords(db: Db): Records {
  return { ...createVersions(db), ...createHeads(db), ...createGlances(db), ...createEdits(db) }
}
