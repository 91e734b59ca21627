/** Whether git works on the files of a repository now, or has just moved them to another commit. Never runs git. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GitFolder } from './git-folder.ts'

/** A lock that is older was left by a git that died, ms. */
const STALE_MS = 10 * 60_000

/** Git holds the lock of the index while it writes files: a checkout, reset, merge, rebase, stash or rm. `now`: ms UTC. */
export function isGitWriting({ gitDir }: GitFolder, now: number): boolean {
  try {
    return now - statSync(join(gitDir, 'index.lock')).mtimeMs < STALE_MS
  } catch {
    return false
  }
}

const TAIL_BYTES = 4096

/** Whether HEAD moved to another commit at `since` (ms UTC) or later, other than by a new commit of the same files. */
export function hasGitMoved(git: GitFolder, since: number): boolean {
  const tail = readTail(join(git.gitDir, 'logs', 'HEAD'))
  // Its format has no such file, only one list of its tables.
  if (tail === null) return existsSync(join(git.commonDir, 'reftable')) && changedSince(git, since)
  // `OLD NEW NAME <MAIL> SECONDS ZONE\tMESSAGE`
  const moves = tail.split('\n').flatMap((line) => {
    const [, seconds, message = ''] = /> (\d+) [+-]\d{4}\t(.*)$/.exec(line) ?? []
    return seconds !== undefined && !message.startsWith('commit') ? [Number(seconds) * 1000 + 999] : []
  })
  return moves.some((at) => at >= since)
}

function changedSince(git: GitFolder, since: number): boolean {
  try {
    return statSync(join(git.commonDir, 'reftable', 'tables.list')).mtimeMs >= since
  } catch {
    return false
  }
}

/** Null without the file. */
function readTail(file: string): string | null {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(handle)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, size - bytes.length))
  } finally {
    closeSync(handle)
  }
}
