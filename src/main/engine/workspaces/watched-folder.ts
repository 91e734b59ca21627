/**
 * Whether this process watches the recorded folders, the watch on one of them, and its state as a sentence for users.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { MissingReason, WatcherStatus, WatchMode } from '../../../contract/workspace.ts'
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
        throw new DriftlineError('Refused', 'No recorder is running, so recording cannot be paused or resumed.', {})
      state = to
    }
  }
}

export type WatchedFolder = ReturnType<typeof createWatchedFolder>

interface WatchedFolderOptions {
  /** Null if the folder is present. */
  missingReason(): MissingReason | null
  readonly space: DiskSpace
  readonly watching: WatchMode
  start(): FolderWatch
}

export function createWatchedFolder({ missingReason, space, watching, start }: WatchedFolderOptions) {
  const startIfOn = (): FolderWatch | null => (watching === 'on' ? start() : null)
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
    state: (): WatcherStatus => {
      const missing = missingReason()
      if (missing) return { state: 'off', why: missing, handles: null }
      const disk = space.measure()
      if (disk.low) return { state: 'off', why: { code: 'disk-full' }, handles: null }
      if (watch) return watch.state()
      const code = watching === 'paused' || watching === 'safe-mode' ? watching : 'no-host'
      return { state: 'off', why: { code }, handles: null }
    },
    close: async () => watch?.close()
  }
}
