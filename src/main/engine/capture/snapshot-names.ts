/**
 * The first step of an initial snapshot: every covered name becomes a row, folders with their version, files without one. When
 * a transaction marks a folder as covered, all its names are rows (LG-5).
 */
import { readdirSync } from 'node:fs'
import type { NotStoredReason } from '../../../contract/log.ts'
import { write } from '../db/transaction.ts'
import { isLosslessName } from '../files/lossless-name.ts'
import { childOf } from '../files/paths.ts'
import { lstatSignature, type Signature, withoutListing } from '../files/signature.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { errorCode, isNotFound } from '../ports/fs-errors.ts'
import { ROOT_ID } from '../store/open-store.ts'
import { isNeverRecorded } from './recordable-names.ts'
import type { SnapshotOptions, SnapshotProgress } from './snapshot-options.ts'

const NAMES_PER_TRANSACTION = 1500

/** Records names and folders; each step is one transaction. */
export function* snapshotNames(options: SnapshotOptions, progress: SnapshotProgress): Generator<void> {
  const { root, store, rules, boundaries } = options
  const { records, db } = store
  const insert = db.prepare('INSERT INTO path(parent, name) VALUES (?, ?) ON CONFLICT(name) DO NOTHING')
  const known = db.prepare('SELECT id, version FROM path WHERE name = ?')
  const isCoveredFolder = db.prepare(
    'SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.id = ? AND v.kind = 3 AND v.reason IS NULL'
  )
  const updateFolder = db.prepare(
    'UPDATE path SET version = coalesce(version, ?), ino = ?, size = ?, mtime = ?, ctime = ?, mode = coalesce(mode, ?), seen = ?, covered = ? WHERE id = ?'
  )
  const unnameable: string[] = []
  const unreadable: string[] = []
  const folders: { path: string; id: number }[] = [{ path: '', id: ROOT_ID }]
  let names = 0

  const recordFolderRow = (
    id: number,
    stat: Signature,
    reason: NotStoredReason | null,
    statAt: number,
    listed: boolean
  ): void => {
    const version = records.addVersion(
      { kind: 'dir', size: 0, mode: stat.mode, hash: null, target: null, notStored: reason },
      null
    )
    updateFolder.run(version, stat.ino, stat.size, stat.mtime, stat.ctime, stat.mode, statAt, listed ? 1 : 0, id)
  }

  const recordFolder = (folder: string, id: number): void => {
    const statAt = options.now()
    const signature = readOrNote(folder, lstatSignature)
    const entries =
      signature?.kind === 'dir' ? readOrNote(folder, (path) => readdirSync(path, { withFileTypes: true })) : null
    if (!signature || !entries) return
    let complete = true
    for (const entry of entries) {
      const { name } = entry
      if (isNeverRecorded(name)) continue
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
      const inserted = insert.run(id, path)
      names++
      if (!stat) {
        progress.filesTotal++
        continue
      }
      const child =
        inserted.changes > 0
          ? { id: Number(inserted.lastInsertRowid), version: null }
          : (known.get(path) as { id: number; version: number | null })
      if (child.version !== null && !isCoveredFolder.get(child.id)) continue
      const reason = boundaries.has(path) ? 'workspace' : rules.ignoresDir(path) ? 'ignored' : null
      if (stat.kind !== 'dir') continue
      // Gets its version at once: a row without one is taken for a file that waits for its content.
      recordFolderRow(child.id, reason === null ? withoutListing(stat) : stat, reason, statAt, false)
      if (reason === null) folders.push({ path, id: child.id })
    }
    // All its names are rows now, within the same transaction.
    if (complete) recordFolderRow(id, signature, null, statAt, true)
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
    write(db, () => {
      const stop = names + NAMES_PER_TRANSACTION
      while (folders.length > 0 && names < stop) {
        const folder = folders.pop() as { path: string; id: number }
        recordFolder(folder.path, folder.id)
      }
    })
    yield
  }
  if (unnameable.length + unreadable.length === 0) return
  write(db, () => {
    store.setMeta('unnameable', JSON.stringify(unnameable))
    store.setMeta('unreadable', JSON.stringify(unreadable))
  })
}
