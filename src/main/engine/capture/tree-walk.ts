/**
 * Walks a folder and compares what is in it with the log. The hot path of a scan: about 3 us a file.
 *
 * A folder whose times say that its names are those recorded is not listed; its rows are compared straight from the stat
 * cache, many folders at a time. Every other folder is listed and its rows and names are compared one by one.
 */

import { childOf, nameOf } from '../files/paths.ts'
import { lstatSignature, type Signature, signatureOf } from '../files/signature.ts'
import type { Head, PathId } from '../store/paths.ts'
import { ID, KIND, PATH } from '../store/stat-cache.ts'
import type { FindingSteps } from './findings.ts'
import { listRecordableNames } from './recordable-names.ts'
import type { PendingFolder, RowCompareOptions, RowComparer } from './row-compare.ts'
import { statOrNote } from './scan-notes.ts'
import { ABSENT_KIND, areTimesTrusted, DIR_KIND, isListingUnchanged, sameStat, statCheck } from './stat-compare.ts'

/** Folders whose rows are read from the stat cache in one query. */
const FOLDERS_PER_QUERY = 64
/** Paths compared between two pauses of the driver. */
const PATHS_PER_STEP = 64

export interface TreeWalkOptions extends RowCompareOptions {
  readonly root: string
  readonly rows: RowComparer
  /** Whether a folder's times tell that a name in it changed; false on some file systems (folder-times.ts). */
  readonly timesReliable: (path: string) => boolean
}

/** Returns the walk: everything at and below a folder, '' = all. */
export function createTreeWalk(options: TreeWalkOptions): (folder: string) => FindingSteps {
  const { root, records, boundaries, deep, fs, notes, findings, rows, timesReliable } = options
  const rootPrefix = root === '/' ? '/' : `${root}/`

  function* walk(folder: string): FindingSteps {
    const pending: PendingFolder[] = [{ path: folder, stat: null, head: null }]
    /** Folders with an unchanged listing, whose rows are compared from the stat cache. */
    const unchanged: PathId[] = []
    while (pending.length > 0 || unchanged.length > 0) {
      const next = pending.pop()
      if (!next) {
        yield* compareCached(unchanged.splice(-FOLDERS_PER_QUERY), unchanged, pending)
        yield null
        continue
      }
      const { path } = next
      const stat = next.stat ?? (path === '' ? lstatSignature(root) : fs.stat(path))
      if (stat?.kind !== 'dir') continue
      const head = next.head ?? records.head(path)
      const isListed = head !== null && isListingUnchanged(head, stat)
      if (isListed && timesReliable(path)) unchanged.push(head.id)
      else yield* compareListing({ path, stat, head }, isListed, pending)
    }
  }

  /**
   * Compares the rows of unchanged folders by bare stats, without building an object per row. A row that is not surely the
   * same goes to the full comparison.
   */
  function* compareCached(folders: readonly PathId[], unchanged: PathId[], pending: PendingFolder[]): FindingSteps {
    let steps = 0
    for (const page of records.statRows(folders)) {
      for (const row of page) {
        if (++steps % PATHS_PER_STEP === 0) yield null
        if (row[KIND] === ABSENT_KIND) continue
        const stats = deep ? null : statCheck(rootPrefix + row[PATH])
        const isFolder = row[KIND] === DIR_KIND
        if (!stats || !sameStat(row, stats) || (isFolder && boundaries.has(row[PATH]))) {
          const head = records.headById(row[ID])
          yield* rows.compare(head, statAt(rootPrefix + head.path, head.path), pending)
          continue
        }
        notes.compared++
        if (!isFolder) continue
        if (areTimesTrusted(row, stats) && timesReliable(row[PATH])) unchanged.push(row[ID])
        else pending.push({ path: row[PATH], stat: signatureOf(stats), head: null })
      }
    }
  }

  /** Lists a folder: compares the row of each recorded name, then reports the names without a row. */
  function* compareListing(
    folder: { readonly path: string; readonly stat: Signature; readonly head: Head | null },
    isListed: boolean,
    pending: PendingFolder[]
  ): FindingSteps {
    const names = listRecordableNames(root, folder.path, notes)
    if (!names) return
    const prefix = folder.path === '' ? `${root}/` : `${root}/${folder.path}/`
    let complete = true
    let steps = 0
    for (const row of folder.head ? records.children(folder.head.id) : []) {
      const name = nameOf(row.path)
      if (names.delete(name)) yield* rows.compare(row, statAt(prefix + name, row.path), pending)
      else if (rows.wasPresent(row)) yield* rows.removed(row)
      if (++steps % PATHS_PER_STEP === 0) yield null
    }
    for (const name of names) {
      const path = childOf(folder.path, name)
      const stat = statAt(prefix + name, path)
      notes.compared++
      if (stat === 'unreadable') complete = false
      if (stat === null || stat === 'unreadable') continue
      yield* findings.report(path, null, stat)
      if (stat.kind === 'dir' && findings.folderReason(path, null) === null) pending.push({ path, stat, head: null })
      if (++steps % PATHS_PER_STEP === 0) yield null
    }
    // An unreadable name has no row: if its folder counted as listed, no later scan would stat it again.
    if (complete && !isListed) notes.listed.push({ path: folder.path, signature: folder.stat })
    yield null
  }

  const statAt = (absolute: string, path: string): Signature | null | 'unreadable' =>
    statOrNote(notes, path, () => lstatSignature(absolute))

  return walk
}
