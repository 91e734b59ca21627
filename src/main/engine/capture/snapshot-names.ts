/**
 * The first step of an initial snapshot: every covered name becomes a row, folders with their version, files without
 * one. When a transaction marks a folder as covered, all its names are rows (LG-5).
 */
import { readdirSync } from 'node:fs'
import type { CopyProgress } from '../../../contract/workspace.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { childOf } from '../files/paths.ts'
import { lstatSignature, withoutListing } from '../files/signature.ts'
import { isLosslessName } from '../files/spelling.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { writeMeta } from '../store/meta.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import { addPathOnce, isEnteredFolder, setFolder } from '../store/paths.ts'
import { createSharedFiles, type NewSharedFile } from '../store/shared-files.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { FindShared } from './adopt-shared.ts'
import { folderVersion } from './observe.ts'
import type { RecordingContext } from './reconcile.ts'
import { isNeverRecorded, isRepositoryBelow } from './recordable-names.ts'

export type SnapshotFolder = Omit<RecordingContext, 'now'>

/** Both steps count it up. */
export type SnapshotProgress = { -readonly [K in keyof CopyProgress]: CopyProgress[K] }

const NAMES_PER_TRANSACTION = 1500

/**
 * Records names and folders; each step is one transaction. A file that `find` knows gets its version at once, and waits for
 * nothing.
 */
export function* snapshotNames(
  { root, store, rules, boundaries }: SnapshotFolder,
  progress: SnapshotProgress,
  find: FindShared | null = null
): Generator<void> {
  const unnameable: string[] = []
  const unreadable: string[] = []
  const repositories: string[] = []
  const shared = createSharedFiles()
  /** Of the transaction, whose end adds them. */
  let found: NewSharedFile[] = []
  /** The next one last. */
  const folders: { path: string; id: number }[] = [{ path: '', id: ROOT_ID }]
  let names = 0

  const recordFolder = (tx: Writable<Store>, folder: string, id: number): void => {
    const statAt = Date.now()
    const signature = readOrNote(folder, lstatSignature)
    const entries =
      signature?.kind === 'dir' ? readOrNote(folder, (path) => readdirSync(path, { withFileTypes: true })) : null
    if (!signature || !entries) return
    let complete = true
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
      const known = entry.isFile() ? find?.(path) : null
      if (known) {
        progress.filesTotal++
        found.push({ ...known, path, parent: id })
        continue
      }
      const child = addPathOnce(tx, path, id)
      if (!stat) {
        progress.filesTotal++
        continue
      }
      if (child.version !== null && !isEnteredFolder(tx, child.id)) continue
      const reason = boundaries.has(path) ? 'workspace' : rules.ignoresDir(path) ? 'ignored' : null
      if (stat.kind !== 'dir') continue
      // Gets its version at once: a row without one is taken for a file that waits for its content.
      const version = tx.records.addVersion(folderVersion(stat.mode, reason), null)
      const signature = reason === null ? withoutListing(stat) : stat
      setFolder(tx, child.id, { version, signature, statAt, covered: false })
      if (reason === null) inside.push({ path, id: child.id })
    }
    folders.push(...inside.reverse())
    // All its names are rows now, within the same transaction.
    if (!complete) return
    // The others have theirs since they were listed.
    const version = id === ROOT_ID ? tx.records.addVersion(folderVersion(signature.mode), null) : null
    setFolder(tx, id, { version, signature, statAt, covered: true })
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
    transact(store, (tx) => {
      shared.begin(tx)
      const stop = names + NAMES_PER_TRANSACTION
      while (folders.length > 0 && names < stop) {
        const folder = folders.pop() as { path: string; id: number }
        recordFolder(tx, folder.path, folder.id)
      }
      progress.files += shared.add(tx, found)
      found = []
    })
    yield
  }
  const notRecorded = Object.entries({ unnameable, unreadable, repositories }).filter(([, paths]) => paths.length > 0)
  if (notRecorded.length === 0) return
  transact(store, (tx) => {
    for (const [key, paths] of notRecorded) writeMeta(tx, key, JSON.stringify(paths))
  })
}
