/** What a host passes to the engine that it starts. */
import type { HostKind } from './api.ts'
import type { HostState } from './workspace.ts'

/** Absolute paths of the programs that an engine starts. */
export interface EnginePrograms {
  /** The process that takes initial snapshots. */
  readonly ingest: string
  /** The engine’s second thread, which takes stats of many files or reads a large one; without one, there is no such thread. */
  readonly fileHelper?: string | undefined
}

/** Options of an engine, as its host passes them to the engine's thread. */
export interface EngineStart {
  readonly dataDir: string
  readonly host: HostKind
  /** Watch recorded folders; only the host does. */
  readonly watch: boolean
  readonly programs: EnginePrograms
  /** How the former recorder ended. */
  readonly lastEnd?: HostState['lastEnd']
  /** Watch nothing until a person resumes recording, because Driftline ended unexpectedly several times. */
  readonly safeMode?: boolean
}
