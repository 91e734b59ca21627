/** Messages between the host's main thread and the engine's worker thread. */
import type { EngineEvents, EventName, StopReason } from '../../contract/api.ts'
import type { EngineStart } from '../../contract/engine-start.ts'
import type { ErrorShape } from '../../contract/errors.ts'
import type { StatBatch } from '../engine/files/stat-batch.ts'
import type { LogEntry } from '../engine/ports/log.ts'

export type ToEngine =
  /** The first message. The data folder is held by then. */
  | { readonly start: EngineStart }
  | { readonly open: number }
  | { readonly channel: number; readonly frame: string }
  | { readonly close: number }
  /** An event of another machine, for every channel. */
  | { readonly emit: EventName; readonly payload: EngineEvents[EventName] }
  | { readonly stop: true }

export type FromEngine =
  | { readonly ready: true }
  | { readonly failed: ErrorShape }
  | { readonly log: LogEntry }
  | { readonly channel: number; readonly frame: string }
  /** Stats that the main thread may take. */
  | { readonly stats: StatBatch }
  /** A client asked the recorder to end. */
  | { readonly stopRequested: StopReason }
  | { readonly stopped: true }
