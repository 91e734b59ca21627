/**
 * Removes forked session files that no agent has resumed: they contain messages, so they must not stay for ever. Only
 * files we wrote are removed, and only while they are byte for byte what we wrote: an agent that opens one appends to
 * it.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, unlinkSync } from 'node:fs'
import { write } from '../db/transaction.ts'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionContext } from './agent-workspace.ts'
import { agentFolder, openOwnedFile, readSlice } from './agent-files.ts'

/** Unused forks older than this are removed, ms. */
const FORK_LIFETIME_MS = 30 * 24 * 3600_000

export interface UnusedFork {
  readonly id: string
  readonly file: string
  /** SHA-256 of the written bytes, hex. */
  readonly hash: string
  readonly agent: string
  readonly home: string | null
}

/** SHA-256 of a fork's bytes, hex. */
export function hashFork(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The unused forks of a session. Call before its conversation is deleted. */
export function listUnusedForks(store: Store, session: string): UnusedFork[] {
  return store.db.prepare(`${UNUSED} AND f.session = ?`).all(session) as UnusedFork[]
}

/** Removes the unused forks that are older than FORK_LIFETIME_MS. */
export function removeOldForks(recorder: SessionContext): void {
  const old = recorder.store.db.prepare(`${UNUSED} AND f.at < ?`).all(recorder.now() - FORK_LIFETIME_MS) as UnusedFork[]
  removeForks(recorder, old)
}

const UNUSED = `SELECT f.id, f.file, f.hash, s.agent, s.home FROM fork f JOIN session s ON s.id = f.session
  WHERE f.hash <> '' AND NOT EXISTS (SELECT 1 FROM session begun WHERE begun.id = f.id)`

/**
 * Removes the files and marks all these forks as settled: a changed file belongs to its agent and is not checked
 * again.
 */
export function removeForks(recorder: SessionContext, forks: readonly UnusedFork[]): void {
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

/** [Security] Never through a link, and only the very file that was read (same device and inode). */
function removeIfOurs(folder: string, { file, hash }: UnusedFork): void {
  const descriptor = openOwnedFile(folder, file)
  if (descriptor === null) return
  try {
    const { size, dev, ino } = fstatSync(descriptor)
    if (hashFork(readSlice(descriptor, 0, size)) !== hash) return
    const named = lstatSync(file, { throwIfNoEntry: false })
    if (named?.isFile() && named.dev === dev && named.ino === ino) unlinkSync(file)
  } catch (error) {
    // A folder that is no longer writable keeps the file.
    if (!isNotFound(error) && !isUnreadable(error)) throw error
  } finally {
    closeSync(descriptor)
  }
}
