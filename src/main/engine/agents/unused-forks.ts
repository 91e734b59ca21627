/**
 * Sessions prepared for an agent that it never began with: they hold words, so they do not stay for ever. Only a file that we
 * wrote goes, and only while it is, byte for byte, what we wrote: an agent that opens one writes into it.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, unlinkSync } from 'node:fs'
import { write } from '../db/transaction.ts'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { agentFolder, openOwnedFile, readSlice } from './agent-files.ts'

/** Prepared this long ago and not begun with, ms. */
const FORK_LIFETIME_MS = 30 * 24 * 3600_000

export interface UnusedFork {
  readonly id: string
  readonly file: string
  /** SHA-256 of what was written, hex. */
  readonly hash: string
  readonly agent: string
  readonly home: string | null
}

/** What names a fork's bytes. */
export function hashFork(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Those of one session. Ask before its words are forgotten. */
export function listUnusedForks(store: Store, session: string): UnusedFork[] {
  return store.db.prepare(`${UNUSED} AND f.session = ?`).all(session) as UnusedFork[]
}

/** What is old and was not begun with goes. */
export function removeOldForks(recorder: Recorder): void {
  const old = recorder.store.db.prepare(`${UNUSED} AND f.at < ?`).all(recorder.now() - FORK_LIFETIME_MS) as UnusedFork[]
  removeForks(recorder, old)
}

const UNUSED = `SELECT f.id, f.file, f.hash, s.agent, s.home FROM fork f JOIN session s ON s.id = f.session
  WHERE f.hash <> '' AND NOT EXISTS (SELECT 1 FROM session begun WHERE begun.id = f.id)`

/** Files that are not what we wrote any more are their agent's, and not looked at again. */
export function removeForks(recorder: Recorder, forks: readonly UnusedFork[]): void {
  if (forks.length === 0) return
  const { root, home, store } = recorder
  for (const fork of forks) {
    const folder = agentFolder(root, fork.agent, home, fork.home)
    if (folder) removeIfOurs(folder, fork)
  }
  const settle = store.db.prepare("UPDATE fork SET hash = '' WHERE id = ?")
  write(store.db, () => {
    for (const { id } of forks) settle.run(id)
  })
}

/** [Security] Through no link, and only the very file that was read. */
function removeIfOurs(folder: string, { file, hash }: UnusedFork): void {
  const descriptor = openOwnedFile(folder, file)
  if (descriptor === null) return
  try {
    const { size, dev, ino } = fstatSync(descriptor)
    if (hashFork(readSlice(descriptor, 0, size)) !== hash) return
    const named = lstatSync(file, { throwIfNoEntry: false })
    if (named?.isFile() && named.dev === dev && named.ino === ino) unlinkSync(file)
  } catch (error) {
    // In a folder that may not be written any more it stays.
    if (!isNotFound(error) && !isUnreadable(error)) throw error
  } finally {
    closeSync(descriptor)
  }
}
