/** Messages between the host's main thread and the engine's worker thread. */
import type { HostKind } from '../../contract/api.ts'
import type { ErrorShape } from '../../contract/errors.ts'
import type { HostState } from '../../contract/workspace.ts'
import type { LogEntry } from '../engine/ports/log.ts'

/** Options of the engine, passed as the worker's `workerData`. */
export interface EngineStart {
  readonly dataDir: string
  readonly host: HostKind
  readonly watch: boolean
  readonly programs: { readonly ingest: string }
  readonly lastEnd?: HostState['lastEnd']
  /** Do not watch any folder until the user resumes recording. */
  readonly safeMode?: boolean
}

export type ToEngine =
  | { readonly open: number }
  | { readonly channel: number; readonly frame: string }
  | { readonly close: number }
  | { readonly stop: true }

export type FromEngine =
  | { readonly ready: true }
  | { readonly failed: ErrorShape }
  | { readonly log: LogEntry }
  | { readonly channel: number; readonly frame: string }
  | { readonly stopped: true }
