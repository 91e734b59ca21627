/** The log's repositories on one connection. They map rows to objects; rules are in log/ and capture/. */
import { editReads, editWrites } from './edits.ts'
import { headReads, headWrites } from './paths.ts'
import type { Readable, Writable } from './sql.ts'
import { statReads } from './stat-cache.ts'
import { versionReads, versionWrites } from './versions.ts'

export type Records = ReturnType<typeof createRecords>
export type RecordWrites = ReturnType<typeof createRecordWrites>

export function createRecords(store: Readable) {
  return { ...versionReads(store), ...headReads(store), ...statReads(store), ...editReads(store) }
}

export function createRecordWrites(tx: Writable<Readable>) {
  return { ...versionWrites(tx), ...headWrites(tx), ...editWrites(tx) }
}
