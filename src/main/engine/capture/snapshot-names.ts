/** The first step of a first copy: every covered name becomes a row, folders with what they are, files without content yet. */
import { readdirSync } from 'node:fs'
import type { NotStoredReason } from '../../../contract/log.ts'
import { write } from '../db/transaction.ts'
import { isLosslessName } from '../files/lossless-name.ts'
import { lstatSignature, type Signature, withoutListing } from '../files/signature.ts'
import { absoluteOf, childOf } from '../files/workspace-fs.ts'
import { errorCode, isNotFound } from '../ports/fs-errors.ts'
import { ROOT_ID } from '../store/open-store.ts'
import { isNeverRecorded } from './recordable-names.ts'
import type { SnapshotOptions, SnapshotProgress } from './snapshot-options.ts'

const NAMES_PER_TRANSACTION = 1500

/** Records names and folders, one transaction a step. */
export function* snapshotNames(options: SnapshotOptions, progress: SnapshotProgress): Generator<void> {
  const { root, store, rules, boundaries } = options
  const { records, db } = store
  const insert = db.prepare('INSERT INTO path(parent, name) VALUES (?, ?) ON CONFLICT(name) DO NOTHING')
  const known = db.prepare('SELECT id, version FROM path WHERE name = ?')
  const folderIsOpen = db.prepare(
    'SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.id = ? AND v.kind = 3 AND v.reason IS NULL'
  )
  const nameFolder = db.prepare(
    'UPDATE path SET version = coalesce(version, ?), ino = ?, size = ?, mtime = ?, ctime = ?, mode = coalesce(mode, ?), seen = ?, covered = ? WHERE id = ?'
  )
  const unnameable: string[] = []
  const unreadable: string[] = []
  const folders: { path: string; id: number }[] = [{ path: '', id: ROOT_ID }]
  let names = 0

  const folderRow = (
    id: number,
    there: Signature,
    reason: NotStoredReason | null,
    seen: number,
    listed: boolean
  ): void => {
    const version = records.addVersion(
      { kind: 'dir', size: 0, mode: there.mode, hash: null, target: null, notStored: reason },
      null
    )
    nameFolder.run(version, there.ino, there.size, there.mtime, there.ctime, there.mode, seen, listed ? 1 : 0, id)
  }

  const recordFolder = (at: string, id: number): void => {
    const seen = options.now()
    const signature = lookable(at, lstatSignature)
    const entries =
      signature?.kind === 'dir' ? lookable(at, (path) => readdirSync(path, { withFileTypes: true })) : null
    if (!signature || !entries) return
    let whole = true
    for (const entry of entries) {
      const { name } = entry
      if (isNeverRecorded(name)) continue
      const path = childOf(at, name)
      if (!isLosslessName(absoluteOf(root, at), name)) {
        unnameable.push(path)
        continue
      }
      // Only a look tells what a folder is; one that cannot be looked at has no row, and the next scan decides.
      const there = entry.isDirectory() ? lookable(path, lstatSignature) : null
      if (entry.isDirectory() && !there) {
        whole = false
        continue
      }
      const inserted = insert.run(id, path)
      names++
      if (!there) {
        progress.filesTotal++
        continue
      }
      const child =
        inserted.changes > 0
          ? { id: Number(inserted.lastInsertRowid), version: null }
          : (known.get(path) as { id: number; version: number | null })
      if (child.version !== null && !folderIsOpen.get(child.id)) continue
      const reason = boundaries.has(path) ? 'workspace' : rules.ignoresDir(path) ? 'ignored' : null
      if (there.kind !== 'dir') continue
      // A row of its own at once, so that nobody takes it for a file that waits for its content.
      folderRow(child.id, reason === null ? withoutListing(there) : there, reason, seen, false)
      if (reason === null) folders.push({ path, id: child.id })
    }
    // Every name in it is a row now, in this very transaction.
    if (whole) folderRow(id, signature, null, seen, true)
  }

  /** Null for what is gone, and for what may not be looked at, which is noted. */
  function lookable<T>(path: string, look: (absolute: string) => T): T | null {
    try {
      return look(absoluteOf(root, path))
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
