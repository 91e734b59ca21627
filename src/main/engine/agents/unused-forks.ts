/**
 * Removes forked session files that no agent has resumed: they contain messages, so they must not stay for ever. Only
 * files we wrote are removed, and only while they are byte for byte what we wrote: an agent that opens one appends to
 * it.
 */
import { createHash, type Hash } from 'node:crypto'
import { lstatSync, unlinkSync } from 'node:fs'
import { ifReadable } from '../files/fs-errors.ts'
import { settleFork, type UnusedFork, unusedForksBefore } from '../store/forks.ts'
import { transact } from '../store/sql.ts'
import { agentFolder, readSlice, withAgentFile } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'

/** Unused forks older than this are removed, ms. */
const FORK_LIFETIME_MS = 30 * 24 * 3600_000

/** The hash of a fork's bytes: SHA-256, as hex. */
export const createForkHash = (): Hash => createHash('sha256')

/** Removes the unused forks that are older than FORK_LIFETIME_MS. */
export function removeOldForks(context: SessionContext): void {
  removeForks(context, unusedForksBefore(context.store, context.now() - FORK_LIFETIME_MS))
}

/**
 * Removes the files and marks all these forks as settled: a changed file belongs to its agent and is not checked
 * again.
 */
export function removeForks(context: SessionContext, forks: readonly UnusedFork[]): void {
  if (forks.length === 0) return
  for (const fork of forks) {
    const folder = agentFolder(context, fork)
    // A folder that is no longer writable keeps the file.
    if (folder) ifReadable(() => removeIfOurs(folder, fork))
  }
  transact(context.store, (tx) => {
    for (const { id } of forks) settleFork(tx, id)
  })
}

/** Bytes read at a time. */
const BLOCK = 4 * 1024 * 1024

/** [Security] Never through a link, and only the very file that was read (same device and inode). */
function removeIfOurs(folder: string, { file, hash }: UnusedFork): void {
  withAgentFile({ folder, file }, (descriptor, { size, dev, ino }) => {
    const found = createForkHash()
    for (let at = 0; at < size; at += BLOCK) found.update(readSlice(descriptor, at, Math.min(BLOCK, size - at)))
    if (found.digest('hex') !== hash) return
    const named = lstatSync(file, { throwIfNoEntry: false })
    if (named?.isFile() && named.dev === dev && named.ino === ino) unlinkSync(file)
  })
}
