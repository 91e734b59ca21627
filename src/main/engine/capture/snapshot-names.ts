/**
 * The first step of an initial snapshot: every covered name becomes a row, folders with their version, files without
 * one. When a folder is marked as covered, all its names are rows (LG-5).
 */
import type { CopyProgress } from '../../../contract/workspace.ts'
import { childOf } from '../files/paths.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { writeMeta } from '../store/meta.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { transact } from '../store/sql.ts'
import type { FilesAlike } from './adopt-shared.ts'
import type { ListedFolder, ListingEnd } from './listed-folders.ts'
import type { SnapshotRows } from './snapshot-rows.ts'
import { OWN_THREAD, type StatSource } from './stat-service.ts'

/** Both steps count it up. */
export type SnapshotProgress = { -readonly [K in keyof CopyProgress]: CopyProgress[K] }

export function newProgress(): SnapshotProgress {
  return { files: 0, filesTotal: 0, bytes: 0, counted: false }
}

interface NamesOptions {
  readonly rows: SnapshotRows
  readonly progress: SnapshotProgress
  readonly root: string
  /** Files that get their version at once, and wait for nothing; null where there are none. */
  readonly alike?: FilesAlike | null
  /** Takes the stats of those files. */
  readonly stats?: StatSource
}

/** Returns a function that records folders as they are listed (listed-folders.ts). */
export function createNames({ rows, progress, root, alike = null, stats = OWN_THREAD }: NamesOptions) {
  /** Folders that are still to be listed. */
  const ids = new Map<string, PathId>([['', ROOT_ID]])

  const addSubfolders = (listed: ListedFolder, parent: PathId): void => {
    for (const { name, stat, reason } of listed.folders) {
      const path = childOf(listed.path, name)
      const id = rows.addFolder({ path, parent, stat, statAt: listed.statAt, reason })
      if (id !== null && reason === null) ids.set(path, id)
    }
  }
  /** [CK-2] The folders were entered before they were listed: a change that the stats do not show has an event. */
  const addFiles = (known: readonly (readonly [ListedFolder, PathId])[]): void => {
    const pathsOf = ({ path, files }: ListedFolder): string[] => files.map((name) => childOf(path, name))
    const needed = alike ? known.flatMap(([listed]) => pathsOf(listed).filter(alike.mayBe)) : []
    const statOf = stats.take(needed.map((path) => absoluteOf(root, path)))()
    let n = 0
    for (const [listed, id] of known) {
      for (const path of pathsOf(listed)) {
        const shared = path === needed[n] ? (alike?.find(path, statOf(n++)) ?? null) : null
        if (!shared) rows.addName(path, id)
        else if (rows.addFile({ ...shared, path, parent: id })) progress.files++
      }
      progress.filesTotal += listed.files.length
      if (listed.complete) rows.setListed(id, listed.signature, listed.statAt)
    }
  }

  return (listed: readonly ListedFolder[]): void =>
    rows.step(() => {
      const known: [ListedFolder, PathId][] = []
      for (const folder of listed) {
        const id = ids.get(folder.path)
        // Its row is of something else that was recorded before.
        if (id === undefined) continue
        ids.delete(folder.path)
        if (!rows.isEntered(id)) continue
        addSubfolders(folder, id)
        known.push([folder, id])
      }
      addFiles(known)
    })
}

/** The next scan of everything records them anew. */
export function recordLeftOut(store: Store, leftOut: ListingEnd['leftOut']): void {
  const found = Object.entries(leftOut).filter(([, paths]) => paths.length > 0)
  if (found.length === 0) return
  transact(store, (tx) => {
    for (const [key, paths] of found) writeMeta(tx, key, JSON.stringify(paths))
  })
}
