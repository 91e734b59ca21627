/** What an engine is opened with, and what its handlers work on. */
import type { EngineEvents, EventName, HostKind } from '../../contract/api.ts'
import type { HostState } from '../../contract/workspace.ts'
import type { Clock } from './ports/clock.ts'
import type { FreeBytes } from './workspaces/disk-space.ts'
import type { Registry } from './workspaces/registry.ts'
import type { WatchingSwitch } from './workspaces/watching-switch.ts'

export interface EngineOptions {
  readonly dataDir: string
  readonly host: HostKind
  /** Watch recorded folders; only the host does. */
  readonly watch: boolean
  /** Absolute paths of our own programs. */
  readonly programs: { readonly ingest: string }
  /** How the recorder before this one ended. */
  readonly lastEnd?: HostState['lastEnd']
  /** Watch nothing until a person says so: it ended unexpectedly again and again. */
  readonly safeMode?: boolean
  readonly clock?: Clock
  /** Room on a folder's disk; another answer in tests. */
  readonly freeBytes?: FreeBytes
  /** The person's home folder, where agents keep their settings; another one in tests. */
  readonly home?: string
}

/** What handlers work on. */
export interface EngineContext {
  readonly options: EngineOptions
  readonly clock: Clock
  readonly home: string
  readonly registry: Registry
  readonly watching: WatchingSwitch
  emit<E extends EventName>(event: E, payload: EngineEvents[E]): void
}
