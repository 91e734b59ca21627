/**
 * The first step of an initial snapshot: every covered name becomes a row, folders with their version, files without
 * one. When a folder is marked as covered, all its names are rows (LG-5).
 */
import { readdirSync } from 'node:fs'
import type { CopyProgress } from '../../../contract/workspace.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { childOf } from '../files/paths.ts'
import { lstatSignature, type Signature, signatureOf } from '../files/signature.ts'
import { isLosslessName } from '../files/spelling.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import type { ScanObserver } from '../ports/scan-observer.ts'
import { writeMeta } from '../store/meta.ts'
import { ROOT_ID } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'
import type { FilesAlike } from './adopt-shared.ts'
import type { RecordingContext } from './reconcile.ts'
import { isNeverRecorded, isRepositoryBelow } from './recordable-names.ts'
import { createStoredRows, type SnapshotRows } from './snapshot-rows.ts'
import { OWN_THREAD, type StatSource } from './stat-service.ts'

export type SnapshotFolder = Omit<RecordingContext, 'now'>

/** Both steps count it up. */
export type SnapshotProgress = { -readonly [K in keyof CopyProgress]: CopyProgress[K] }

const NAMES_PER_STEP = 1500

interface NamesOptions {
  readonly rows: SnapshotRows
  /** Files that get their version at once, and wait for nothing; null where there are none. */
  readonly alike: FilesAlike | null
  readonly observer: ScanObserver | null
  /** Takes the stats of those files. */
  readonly stats: StatSource
}

/** A folder whose subfolders are added. Its files are added once their stats are taken. */
interface ListedFolder {
  readonly id: number
  readonly signature: Signature
  readonly statAt: number
  /** Paths of its other names. */
  readonly files: readonly string[]
  /** Every folder in it could be read. */
  readonly complete: boolean
}

const STORED = { alike: null, observer: null, stats: OWN_THREAD }

/** Records names and folders, in steps. */
export function* snapshotNames(
  { root, store, rules, boundaries }: SnapshotFolder,
  progress: SnapshotProgress,
  { rows, alike, observer, stats }: NamesOptions = { ...STORED, rows: createStoredRows(store) }
): Generator<void> {
  const unnameable: string[] = []
  const unreadable: string[] = []
  const repositories: string[] = []
  /** The next one last. */
  const folders: { path: string; id: number }[] = [{ path: '', id: ROOT_ID }]
  let names = 0

  const listFolder = (folder: string, id: number): ListedFolder | null => {
    const statAt = Date.now()
    const entered = observer?.enter(folder)
    const signature = entered ? signatureOf(entered) : readOrNote(folder, lstatSignature)
    const entries =
      signature?.kind === 'dir' ? readOrNote(folder, (path) => readdirSync(path, { withFileTypes: true })) : null
    if (!signature || !entries) return null
    let complete = true
    const files: string[] = []
    const inside: typeof folders = []
    // Names that come in their order fill the pages of their index: in another order, half of each stays empty.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry
      if (isNeverRecorded(name)) {
        if (isRepositoryBelow(root, folder, name)) repositories.push(childOf(folder, name))
        continue
      }
      const path = childOf(folder, name)
      if (!isLosslessName(absoluteOf(root, folder), name)) {
        unnameable.push(path)
        continue
      }
      // A folder that cannot be read gets no row; the next scan decides.
      const stat = entry.isDirectory() ? readOrNote(path, lstatSignature) : null
      if (entry.isDirectory() && !stat) {
        complete = false
        continue
      }
      names++
      if (!entry.isDirectory()) progress.filesTotal++
      if (stat?.kind !== 'dir') {
        files.push(path)
        continue
      }
      const reason = boundaries.has(path) ? 'workspace' : rules.ignoresDir(path) ? 'ignored' : null
      const added = rows.addFolder({ path, parent: id, stat, statAt, reason })
      if (reason !== null) observer?.skip(path)
      else if (added !== null) inside.push({ path, id: added })
    }
    folders.push(...inside.reverse())
    return { id, signature, statAt, files, complete }
  }
  /** [CK-2] The folders were entered before they were listed: a change that the stats do not show has an event. */
  const addFiles = (listed: readonly ListedFolder[]): void => {
    const needed = alike ? listed.flatMap(({ files }) => files.filter(alike.mayBe)) : []
    const statOf = stats.take(needed.map((path) => absoluteOf(root, path)))()
    let n = 0
    for (const { id, signature, statAt, files, complete } of listed) {
      for (const path of files) {
        const known = path === needed[n] ? (alike?.find(path, statOf(n++)) ?? null) : null
        if (!known) rows.addName(path, id)
        else if (rows.addFile({ ...known, path, parent: id })) progress.files++
      }
      if (complete) rows.setListed(id, signature, statAt)
    }
  }

  /** Null if the path is absent, or unreadable, which is noted. */
  function readOrNote<T>(path: string, read: (absolute: string) => T): T | null {
    try {
      return read(absoluteOf(root, path))
    } catch (error) {
      if (errorCode(error) === '') throw error
      if (!isNotFound(error)) unreadable.push(path)
      return null
    }
  }

  while (folders.length > 0) {
    rows.step(() => {
      const stop = names + NAMES_PER_STEP
      const listed: ListedFolder[] = []
      while (folders.length > 0 && names < stop) {
        const { path, id } = folders.pop() as { path: string; id: number }
        const folder = listFolder(path, id)
        if (folder) listed.push(folder)
      }
      addFiles(listed)
    })
    yield
  }
  const notRecorded = Object.entries({ unnameable, unreadable, repositories }).filter(([, paths]) => paths.length > 0)
  if (notRecorded.length === 0) return
  transact(store, (tx) => {
    for (const [key, paths] of notRecorded) writeMeta(tx, key, JSON.stringify(paths))
  })
}
