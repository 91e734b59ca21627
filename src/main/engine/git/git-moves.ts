/** Whether git works on the files of a repository now, or has just moved them to another commit. Never runs git. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import type { GitFolder } from './git-folder.ts'
import { isReftable, withLiveStack } from './reftable/live-stack.ts'
import { UnreadableTable } from './reftable/source.ts'

/** A lock that is older was left by a git that died, ms. */
const STALE_MS = 10 * 60_000
/** One that no git has open and is older was left, too, or a commit waits for a hook or for its message, ms. */
const CLOSED_MS = 10_000

/**
 * Git holds the lock of the index, and has it open, while it writes files: a checkout, reset, merge, rebase, stash or rm.
 * `isOpen`: whether git has a file open; null where nobody knows. `now`: ms UTC.
 */
export function isGitWriting({ gitDir }: GitFolder, now: number, isOpen: (file: string) => boolean | null): boolean {
  const lock = join(gitDir, 'index.lock')
  const stat = ifReadable(() => statSync(lock))
  if (stat === null) return false
  const age = now - stat.mtimeMs
  return age < CLOSED_MS || (age < STALE_MS && isOpen(lock) !== false)
}

const TAIL_BYTES = 4096

/** Whether HEAD moved to another commit at `since` (ms UTC) or later, other than by a new commit of the same files. */
export function hasGitMoved(git: GitFolder, since: number): boolean {
  const lines = isReftable(git.commonDir) ? tableLines(git, since) : fileLines(git)
  // `OLD NEW NAME <MAIL> SECONDS ZONE\tMESSAGE`
  return lines.some((line) => {
    const [, seconds, message = ''] = /> (\d+) [+-]\d{4}\t(.*)$/.exec(line) ?? []
    return seconds !== undefined && !message.startsWith('commit') && Number(seconds) * 1000 + 999 >= since
  })
}

function fileLines(git: GitFolder): string[] {
  return readTail(join(git.gitDir, 'logs', 'HEAD'))?.split('\n') ?? []
}

/** Lines that are looked through at most: those of one second, or of a clock that was set back. */
const MOST_LINES = 1000

/** The newest lines of the reflog, where git keeps it in tables; none if they cannot be read. */
function tableLines(git: GitFolder, since: number): string[] {
  try {
    return withLiveStack(git.gitDir, (stack) => {
      const lines: string[] = []
      for (const line of stack.newestLog('HEAD')) {
        const seconds = Number(/> (\d+) /.exec(line)?.[1] ?? 0)
        if (seconds * 1000 + 999 < since || lines.push(line) === MOST_LINES) break
      }
      return lines
    })
  } catch (error) {
    if (error instanceof UnreadableTable) return []
    throw error
  }
}

/** Null without a file that can be read. */
function readTail(file: string): string | null {
  const handle = ifReadable(() => openSync(file, 'r'))
  if (handle === null) return null
  try {
    const { size } = fstatSync(handle)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, size - bytes.length))
  } finally {
    closeSync(handle)
  }
}
