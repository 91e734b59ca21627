/** Options of an engine, and the context that its handlers get. */
import type { EngineEvents, EventName, StopReason } from '../../contract/api.ts'
import type { EngineStart } from '../../contract/engine-start.ts'
import type { Searches } from './bisect/searches.ts'
import type { BundleFiles } from './bundles/bundle-files.ts'
import type { StatThreads } from './capture/stat-service.ts'
import type { EventBacklog } from './event-backlog.ts'
import type { FreeBytes } from './files/disk-space.ts'
import type { Clock } from './ports/clock.ts'
import type { AutomaticBackup } from './workspaces/automatic-backup.ts'
import type { RecordedWorktrees } from './workspaces/recorded-worktrees.ts'
import type { Registry } from './workspaces/registry.ts'
import type { WatchingSwitch } from './workspaces/watched-folder.ts'

export interface EngineOptions extends EngineStart {
  readonly clock?: Clock
  /** Asks the host to end; absent where no host owns the engine. */
  readonly requestStop?: (why: StopReason) => void
  /** Gives stats to the main thread of a recorder; absent where the engine is on it. */
  readonly shareStats?: StatThreads['shareStats']
  /** Replaces the measurement of free space in tests. */
  readonly freeBytes?: FreeBytes
  /** The person's home folder, where agents keep their settings; replaced in tests. */
  readonly home?: string
}

export interface EngineContext {
  readonly options: EngineOptions
  readonly clock: Clock
  readonly home: string
  readonly registry: Registry
  /** Bundles that are being sent or fetched. */
  readonly bundles: BundleFiles
  readonly worktrees: RecordedWorktrees
  readonly watching: WatchingSwitch
  readonly backlog: EventBacklog
  /** Ids of the hook events that are in the spool while this process records them. */
  readonly unrecorded: Set<string>
  /** Only a host runs searches. */
  searches: Searches | null
  /** Only a host makes backups by itself. */
  backup: AutomaticBackup | null
  emit<E extends EventName>(event: E, payload: EngineEvents[E]): void
}
