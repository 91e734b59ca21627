/** The watch on one recorded folder, and its state as a sentence for users. */
import { mkdirSync } from 'node:fs'
import type { WatcherState, WatchMode } from '../../../contract/workspace.ts'
import type { DiskSpace } from '../files/disk-space.ts'
import type { FolderWatch } from '../watch/watcher.ts'
import { UNWATCHED } from './watching-switch.ts'

export interface WatchedFolder {
  /** Null while the folder is not watched: every check is a scan then. */
  readonly watch: FolderWatch | null
  readonly watching: WatchMode
  /** Starts or stops watching at once; resolves when the former watch is closed. */
  set(to: WatchMode): Promise<void>
  state(): { state: WatcherState; why: string }
  close(): Promise<void>
}

export interface WatchedFolderOptions {
  /** Why the folder is missing; '' = it is present. */
  missingReason(): string
  readonly barrierDir: string
  readonly space: DiskSpace
  readonly watching: WatchMode
  start(barrierDir: string): FolderWatch
}

export function createWatchedFolder({ barrierDir, space, ...options }: WatchedFolderOptions): WatchedFolder {
  let { watching } = options
  const startIfOn = (): FolderWatch | null => {
    if (watching !== 'on') return null
    mkdirSync(barrierDir, { recursive: true, mode: 0o700 })
    return options.start(barrierDir)
  }
  let watch = startIfOn()

  return {
    get watch() {
      return watch
    },
    get watching() {
      return watching
    },
    set: async (to) => {
      const stopped = watch
      watching = to
      watch = startIfOn()
      await stopped?.close()
    },
    state: () => {
      const missing = options.missingReason()
      if (missing !== '') return { state: 'off', why: missing }
      const disk = space.measure()
      if (disk.low) return { state: 'off', why: disk.why }
      return watch ? watch.state() : { state: 'off', why: UNWATCHED[watching === 'on' ? 'off' : watching] }
    },
    close: async () => watch?.close()
  }
}
