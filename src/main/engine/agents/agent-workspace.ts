/** What reading agents' events and files needs of the recorded folders. Composed in workspaces/. */
import type { Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import type { CheckContext } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'
import type { RunContext } from '../runs/open-run.ts'
import type { NamedCommand } from '../runs/test-programs.ts'
import type { Store } from '../store/open-store.ts'

/** Where the agents keep their files about a folder. */
export interface AgentFilesContext {
  readonly root: string
  /** The person's home folder; agents keep their files below it. */
  readonly home: string
}

/** Reads and forks sessions. */
export interface SessionContext extends AgentFilesContext {
  readonly store: Store
  /** ms UTC */
  now(): number
  /** Commands that a person named as tests of this folder. */
  testCommands(): readonly NamedCommand[]
}

/** Records what an agent does in a folder. */
export interface AgentWorkspace extends CheckContext, RunContext, SessionContext {
  readonly workspace: Workspace
  /** Continues the import of long transcripts, after the caller's own work. */
  catchUp(): void
  /** Held while an event is ingested. */
  readonly lock: Lock
  /** Ends runs whose process died. Call inside the lock. */
  endDeadRuns(): Promise<void>
}

/** Finds the folder of an event, and stores when agents were heard. */
export interface AgentWorkspaces {
  /** The workspace that contains an absolute path, the innermost if they are nested, and the path inside it. */
  findContaining(path: string): { readonly workspace: Workspace; readonly inside: string } | null
  open(id: WorkspaceId): AgentWorkspace
  recordAgentEvent(agent: string, at: number): void
  /** The event of a connection test arrived. */
  recordAgentTest(agent: string, nonce: string, at: number): void
}
