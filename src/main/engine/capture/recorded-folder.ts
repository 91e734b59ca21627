/**
 * The folders of the log, for the first walk of a watch: one whose times say that its names are those recorded (LG-5)
 * need not be listed.
 */
import type { Stats } from 'node:fs'
import { detectReliableFolderTimes } from '../files/folder-times.ts'
import { nameOf } from '../files/paths.ts'
import { signatureOf } from '../files/signature.ts'
import { coverageState } from '../store/coverage.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { ABSENT_KIND, isListingUnchanged, type RecordedListing } from './stat-compare.ts'

interface RecordedFolder {
  readonly name: string
  /**
   * What is in it if its names are surely those recorded, else null. `stats`: of the folder now. `files`: number of
   * entries that are no folders.
   */
  entries(stats: Stats): { readonly folders: readonly RecordedFolder[]; readonly files: number } | null
}

/** The root; null while not every name is recorded. */
export function recordedRoot(store: Store, root: string): RecordedFolder | null {
  const head = store.records.head('')
  if (coverageState(store) !== 'complete' || !head) return null
  return recordedFolder({ store, timesReliable: detectReliableFolderTimes(root) }, head, head)
}

interface Recorded {
  readonly store: Store
  readonly timesReliable: (path: string) => boolean
}

function recordedFolder(
  { store, timesReliable }: Recorded,
  folder: { readonly id: PathId; readonly path: string },
  listing: RecordedListing
): RecordedFolder {
  return {
    name: nameOf(folder.path),
    entries(stats) {
      if (!isListingUnchanged(listing, signatureOf(stats)) || !timesReliable(folder.path)) return null
      const folders: RecordedFolder[] = []
      let files = 0
      for (const [id, path, kind, ino, mtime, ctime, statAt, covered] of store.records.entryRows(folder.id)) {
        const signature = ino === null ? null : { ino, mtime, ctime }
        const found = { covered: covered === 1, statAt, signature }
        if (path !== null) folders.push(recordedFolder({ store, timesReliable }, { id, path }, found))
        else if (kind !== ABSENT_KIND) files++
      }
      return { folders, files }
    }
  }
}
