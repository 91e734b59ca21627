/** The reflog of stashes before and after a work, as the text that a file has. */
import type { GitWork } from '../store/restore-git.ts'
import { refused } from './git-files.ts'

type Log = NonNullable<GitWork['log']>

/** Null: it does not exist. */
export function logBytes(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text, 'base64')
}

export function isSameLog(now: Buffer | null, text: string | null): boolean {
  const bytes = logBytes(text)
  return now === null || bytes === null ? now === bytes : now.equals(bytes)
}

/** Whether the work is done. Throws Refused if the reflog `now` is neither as before nor as after it. */
export function isLogWritten(now: Buffer | null, log: Log, name: string): boolean {
  if (isSameLog(now, log.to)) return true
  if (isSameLog(now, log.from)) return false
  throw refused('Git changed the list of stashes meanwhile, so it was not written. Restore again.', { name })
}
