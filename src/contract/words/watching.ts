/** The words of how changes are found, why not as they happen, and of a folder that cannot be reached. Pure. */
import type { MissingReason, UnwatchedReason, WatcherStatus } from '../workspace.ts'

const SCANS = 'Changes are found by scanning instead. Nothing is lost.'

export const DISK_FULL_TEXT =
  'The disk that holds the history is nearly full, so recording is paused. Recorded history is safe. Free some space; recording then resumes by itself and finds the changes made meanwhile.'

const MAC_PRIVACY = 'x-apple.systempreferences:com.apple.preference.security?Privacy_FilesAndFolders'

export function missingText(reason: MissingReason): string {
  switch (reason.code) {
    case 'gone':
      return 'The folder does not exist any more.'
    case 'unmounted':
      return 'The folder is empty, and the disk it was on is not mounted.'
    case 'denied':
      return `macOS does not let Driftline read the folder. Allow it in System Settings, Privacy & Security, Files and Folders (${MAC_PRIVACY}).`
    case 'unreachable':
      return `The folder cannot be reached (${reason.error}). Its disk may be disconnected.`
  }
}

/** Whether a missing folder may still be there. */
export function isOutOfReach(reason: UnwatchedReason | null): reason is MissingReason {
  return reason !== null && ['unmounted', 'denied', 'unreachable'].includes(reason.code)
}

const TEXTS = {
  starting: 'Reading the folders. Until that is done, every check reads the whole folder.',
  'too-many': 'Too many changes came at once. The folders are being read again.',
  unreported: 'The system did not report some changes. The folders are being read again.',
  moved:
    'The folder was moved, renamed or deleted. Recorded history is safe. Move the folder back or choose its new location (Locate).',
  remote:
    'The folder is on a network or shared file system, which reports no changes made on other computers. Changes are found by scanning. Nothing is lost.',
  'folder-limit': `This computer's limit for watched folders is reached. ${SCANS} To raise it: sudo sysctl fs.inotify.max_user_watches=1048576`,
  'watcher-limit': `This computer's limit for watchers or open files is reached. ${SCANS} To raise it: sudo sysctl fs.inotify.max_user_instances=1024`,
  closed: 'The folder is no longer watched.',
  'no-host': 'No recorder is running. Changes are found at the next check.',
  paused:
    'Paused. Changes made meanwhile are found when recording resumes. Runs of connected agents are still recorded.',
  'safe-mode':
    'Safe mode, because Driftline ended unexpectedly several times. Changes are found at the next check, not as they happen.',
  'disk-full': DISK_FULL_TEXT,
  bundle: 'This is a review of a bundle. It can only be read, and nothing is recorded.'
} as const

/** A sentence; "" if changes are found as they happen. */
export function unwatchedText(reason: UnwatchedReason | null): string {
  if (!reason) return ''
  switch (reason.code) {
    case 'gone':
    case 'unmounted':
    case 'denied':
    case 'unreachable':
      return missingText(reason)
    case 'failed':
      return `Couldn’t watch the folder (${reason.error}). ${SCANS}`
    case 'unopened':
      return reason.message
    default:
      return TEXTS[reason.code]
  }
}

/** How the folder is watched, to follow a text that says it is; "" if as usual. */
export function watchHandlesText({ handles }: Pick<WatcherStatus, 'handles'>): string {
  return handles === 'fs.watch' ? 'one watch per folder, as for large folders and worktrees' : ''
}
