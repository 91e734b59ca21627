/** Automatic backups as sentences. Pure. */
import type { BackupState } from '../storage.ts'
import { capitalized } from './text.ts'
import { formatTime } from './times.ts'

/** How the last backup ended, and whether one is running. */
export function backupText({ startedAt, last }: BackupState, now: number): string {
  const ended = last ? `${last.ok ? '' : `Failed ${formatTime(last.at, now)}. `}${last.message}` : ''
  if (startedAt !== null)
    return `Running since ${formatTime(startedAt, now)}${last?.ok === false ? `. Before: ${ended}` : ''}`
  if (!last) return 'None yet: the first follows the next run.'
  return last.ok ? `${capitalized(formatTime(last.at, now))}. ${ended}` : ended
}

/** Whether a person should act: new runs are in no backup. */
export function isBackupFailing(backup: BackupState | undefined): boolean {
  return backup?.last?.ok === false
}
