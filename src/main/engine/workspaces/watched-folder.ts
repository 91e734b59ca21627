/** The watch on one recorded folder while this process watches, and the sentence for how it stands. */
import { mkdirSync } from 'node:fs'
import type { WatcherState, WatchMode } from '../../../contract/workspace.ts'
import type { FolderWatch } from '../watch/watcher.ts'
import type { DiskSpace } from './disk-space.ts'
import { UNWATCHED } from './watching-switch.ts'

export interface WatchedFolder {
  /** Null while it is not watched: every check is a scan then. */
  readonly watch: FolderWatch | null
  readonly watching: WatchMode
  /** Starts or stops watching at once; resolves when what was stopped has let go. */
  set(to: WatchMode): Promise<void>
  state(): { state: WatcherState; why: string }
  close(): Promise<void>
}

export interface WatchedFolderOptions {
  /** Why the folder is not there; '' = it is. */
  gone(): string
  readonly barrierDir: string
  readonly space: DiskSpace
  readonly watching: WatchMode
  start(barrierDir: string): FolderWatch
}

export function createWatchedFolder({ barrierDir, space, ...options }: WatchedFolderOptions): WatchedFolder {
  let { watching } = options
  const startOrNot = (): FolderWatch | null => {
    if (watching !== 'on') return null
    mkdirSync(barrierDir, { recursive: true, mode: 0o700 })
    return options.start(barrierDir)
  }
  let watch = startOrNot()

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
      watch = startOrNot()
      await stopped?.close()
    },
    state: () => {
      const gone = options.gone()
      if (gone !== '') return { state: 'off', why: gone }
      const disk = space.measure()
      if (disk.low) return { state: 'off', why: disk.why }
      return watch ? watch.state() : { state: 'off', why: UNWATCHED[watching === 'on' ? 'off' : watching] }
    },
    close: async () => watch?.close()
  }
}
