/** Options of an engine, and the context that its handlers get. */
import type { EngineEvents, EventName, HostKind } from '../../contract/api.ts'
import type { HostState } from '../../contract/workspace.ts'
import type { FreeBytes } from './files/disk-space.ts'
import type { Clock } from './ports/clock.ts'
import type { Registry } from './workspaces/registry.ts'
import type { WatchingSwitch } from './workspaces/watching-switch.ts'

export interface EngineOptions {
  readonly dataDir: string
  readonly host: HostKind
  /** Watch recorded folders; only the host does. */
  readonly watch: boolean
  /** Absolute paths of our programs. */
  readonly programs: { readonly ingest: string }
  /** How the former recorder ended. */
  readonly lastEnd?: HostState['lastEnd']
  /** Watch nothing until a person resumes recording, because Driftline ended unexpectedly several times. */
  readonly safeMode?: boolean
  readonly clock?: Clock
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
  readonly watching: WatchingSwitch
  emit<E extends EventName>(event: E, payload: EngineEvents[E]): void
}
