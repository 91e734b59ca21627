/** What the host's main thread and the engine's worker thread say to each other. */
import type { HostKind } from '../../contract/api.ts'
import type { ErrorShape } from '../../contract/errors.ts'
import type { HostState } from '../../contract/workspace.ts'

/** How the engine is made; becomes the worker's `workerData`. */
export interface EngineStart {
  readonly dataDir: string
  readonly host: HostKind
  readonly watch: boolean
  readonly programs: { readonly ingest: string }
  readonly lastEnd?: HostState['lastEnd']
  /** Watch nothing until a person says so. */
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
  | { readonly channel: number; readonly frame: string }
  | { readonly stopped: true }
