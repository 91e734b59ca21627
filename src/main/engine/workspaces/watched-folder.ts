/**
 * Whether this process watches the recorded folders, the watch on one of them, and its state as a sentence for users.
 */
import { mkdirSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { WatcherState, WatchMode } from '../../../contract/workspace.ts'
import type { DiskSpace } from '../files/disk-space.ts'
import type { FolderWatch } from '../watch/watcher.ts'

export type WatchingSwitch = ReturnType<typeof createWatchingSwitch>

export function createWatchingSwitch(start: { readonly watch: boolean; readonly safeMode?: boolean }) {
  let state: WatchMode = start.watch ? (start.safeMode ? 'safe-mode' : 'on') : 'off'
  return {
    now: () => state,
    /** Throws Refused in a process that never watches. */
    set: (to: 'on' | 'paused'): void => {
      if (state === 'off')
        throw new DriftlineError('Refused', 'The app is not open, so recording cannot be paused or resumed.', {})
      state = to
    }
  }
}

/** Why a folder is not watched. */
const UNWATCHED: Readonly<Record<Exclude<WatchMode, 'on'>, string>> = {
  off: 'The app is not open. Changes are found at the next check.',
  paused:
    'Paused. Changes made meanwhile are found when recording resumes. Runs of connected agents are still recorded.',
  'safe-mode':
    'Safe mode, because Driftline ended unexpectedly several times. Changes are found at the next check, not as they happen.'
}

export type WatchedFolder = ReturnType<typeof createWatchedFolder>

interface WatchedFolderOptions {
  /** Why the folder is missing; '' = it is present. */
  missingReason(): string
  readonly barrierDir: string
  readonly space: DiskSpace
  readonly watching: WatchMode
  start(): FolderWatch
}

export function createWatchedFolder({ missingReason, barrierDir, space, watching, start }: WatchedFolderOptions) {
  const startIfOn = (): FolderWatch | null => {
    if (watching !== 'on') return null
    mkdirSync(barrierDir, { recursive: true, mode: 0o700 })
    return start()
  }
  let watch = startIfOn()

  return {
    /** Null while the folder is not watched: every check is a scan then. */
    get watch() {
      return watch
    },
    get watching() {
      return watching
    },
    /** Starts or stops watching at once; resolves when the former watch is closed. */
    set: async (to: WatchMode): Promise<void> => {
      const stopped = watch
      watching = to
      watch = startIfOn()
      await stopped?.close()
    },
    state: (): { state: WatcherState; why: string } => {
      const missing = missingReason()
      if (missing !== '') return { state: 'off', why: missing }
      const disk = space.measure()
      if (disk.low) return { state: 'off', why: disk.why }
      return watch ? watch.state() : { state: 'off', why: UNWATCHED[watching === 'on' ? 'off' : watching] }
    },
    close: async () => watch?.close()
  }
}
