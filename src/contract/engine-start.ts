/** What a host passes to the engine that it starts. */
import type { HostKind } from './api.ts'
import type { HostState } from './workspace.ts'

/** Absolute paths of the programs that an engine starts. */
export interface EnginePrograms {
  /** The process that takes initial snapshots. */
  readonly ingest: string
  /** The second thread that takes stats of many files; without one, the engine’s thread takes all of them. */
  readonly stats?: string | undefined
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
