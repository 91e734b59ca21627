/** Runs that were stopped because they deleted too much in a short time. Types only. */
import type { WorkspaceId } from './workspace.ts'

/**
 * held       it waits for a person
 * released   it may continue, and is not stopped again
 * restored   what it had deleted is back, and it may continue
 * ended      a person ended it
 */
export type BrakeState = 'held' | 'released' | 'restored' | 'ended'

/** A stopped run that waits for a person. */
export interface StoppedRun {
  readonly run: string
  readonly agent: string
  /** Title of the run. */
  readonly title: string
  /** Number of recorded files and links that it deleted, emptied or moved away, and that are still gone. */
  readonly deleted: number
  /** The innermost folder that they were in; '' is the root. */
  readonly folder: string
  /** When it was stopped, ms UTC. */
  readonly since: number
  /** Processes that are frozen now; none where the system cannot, or once they have ended. */
  readonly pids: readonly number[]
  /** Whether the run is live still: its agent may not write until it is decided. */
  readonly live: boolean
  /** Position before the first loss: what a restore returns to. */
  readonly from: number
}

/** A run was stopped just now, in which recorded folder. */
export interface StoppedNotice extends Pick<StoppedRun, 'run' | 'agent' | 'title' | 'deleted' | 'folder'> {
  readonly workspace: WorkspaceId
}
