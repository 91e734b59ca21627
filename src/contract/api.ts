/**
 * The contract between the engine and every caller (window, browser, CLI, hooks): method name -> params -> result.
 * `params.ts` holds the schemas that check what comes in; this file is types only.
 */

import type { AgentChange, AgentState, AgentTest } from './agents.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Message, Resume, Session, SessionDetail, Todo } from './conversation.ts'
import type { DiffResult, FileDiff } from './diff.ts'
import type { BlameLine, PathVersion, Seq } from './log.ts'
import type { Act, Choices, PreviewSide, RestorePlan, RestoreResult } from './restore.ts'
import type { Search } from './search.ts'
import type { WorkspaceStatus } from './status.ts'
import type { Storage, Sweep } from './storage.ts'
import type { Drift, EntryDetail, RunState, TimelineEntry } from './timeline.ts'
import type { ToolAnswer, ToolClient, ToolUse } from './tools.ts'
import type {
  AddResult,
  CopyProgress,
  CoverageState,
  Covered,
  HostState,
  NotCovered,
  Workspace,
  WorkspaceId,
  WorkspaceSummary
} from './workspace.ts'

export interface RunBegun {
  readonly run: string
  readonly prevCheckpointId: string
  readonly workspaceDrifted: boolean
  readonly warning: string
}

export interface RunResult extends DiffResult {
  readonly run: string
  readonly checkpointId: string
  readonly state: RunState
}

type Ws = { readonly workspace: WorkspaceId }
type DiffParams = Ws & {
  /** A target, or with `to` also "now" for the disk: the way back. */
  readonly target: string
  readonly scope?: 'run' | 'checkpoint' | 'turn'
  /** A target, or "now" for the disk. */
  readonly to?: string
  readonly paths?: readonly string[]
  /** Answer with what is already counted within about 150 ms; the rest has `counted: false`. */
  readonly quick?: boolean
}

export interface Api {
  'app.info': {
    params: Record<string, never>
    result: { version: string; platform: string; host: HostKind; pid: number; dataDir: string; home: string }
  }
  'host.state': { params: Record<string, never>; result: HostState }
  /** Stops or starts watching all folders; what changes meanwhile is found afterwards. Refused where nothing watches. */
  'host.watch': { params: { on: boolean }; result: HostState }
  'settings.get': { params: Record<string, never>; result: { values: Readonly<Record<string, string>> } }
  'settings.set': { params: { key: string; value: string }; result: Record<string, never> }

  /** `left`: not recorded any more, with a history that waits for the folder to be added again. */
  'workspaces.list': {
    params: Record<string, never>
    result: { workspaces: readonly WorkspaceSummary[]; left: readonly Workspace[] }
  }
  /** Registers a folder and takes its first copy; on a registered folder brings its coverage up to date. */
  'workspaces.add': { params: { folder: string; wait: boolean; confirmed?: boolean }; result: AddResult }
  'workspaces.stopCopy': { params: Ws; result: Record<string, never> }
  /** Forgets a folder; `deleteHistory` also deletes what was recorded, of one that was left, too. */
  'workspaces.remove': { params: Ws & { deleteHistory: boolean }; result: Record<string, never> }
  /** The folder moved: record it at its new place from now on. */
  'workspaces.locate': { params: Ws & { folder: string }; result: { workspace: Workspace } }
  /** The workspace that holds this absolute path. Fails with NotAWorkspace. */
  'workspaces.find': { params: { folder: string }; result: { workspace: Workspace; inside: string } }
  /** Folders a browser drop may have meant, best first. */
  'workspaces.suggest': {
    params: { name: string; children: readonly string[] }
    result: { folders: readonly string[] }
  }
  /** Folder names that complete a typed path; accepts `~`. */
  'workspaces.complete': { params: { prefix: string }; result: { folders: readonly string[] } }

  /** `check` compares the disk with the log first (DR-5). */
  'workspace.status': { params: Ws & { check: boolean }; result: WorkspaceStatus }
  'coverage.list': { params: Ws; result: { covered: Covered; notCovered: readonly NotCovered[] } }

  /** Newest first. `before` pages on: only entries older than that entry id. */
  'timeline.list': {
    params: Ws & { limit: number; before?: string; kinds?: readonly TimelineEntry['kind'][]; text?: string }
    result: { entries: readonly TimelineEntry[]; more: boolean; total: number }
  }
  'entry.show': { params: Ws & { target: string }; result: EntryDetail }

  'run.begin': {
    params: Ws & { title: string; agent: string; session?: string; pid: number; pidStart: string }
    result: RunBegun
  }
  'run.end': { params: Ws & { run: string; exitCode: number | null }; result: RunResult }

  'diff.files': { params: DiffParams; result: DiffResult }
  /** `use`: what `git apply` takes (the default), or what a person reads: text of every encoding as UTF-8. */
  'diff.patch': { params: DiffParams & { use?: 'git' | 'reading' }; result: DiffResult & { patch: string } }
  /**
   * One file. `full` also gives large text. Positions come from a `diff.files` answer; `toSeq: null` is the disk.
   * `run` (a run, a turn or an outside change) gives only what it changed,
   * with `others` what others changed between its first and its last edit. Fails with NotStored where that overlaps.
   */
  'diff.file': {
    params: Ws & {
      path: string
      oldPath?: string
      fromSeq: Seq
      toSeq: Seq | null
      run?: string
      others?: boolean
      full?: boolean
    }
    result: FileDiff
  }

  'restore.plan': { params: Ws & { act: Act; choices?: Choices }; result: RestorePlan }
  /** One item of a plan: what is on disk now beside what it would become, or another side of it; with its line counts. */
  'restore.preview': {
    params: Ws & { act: Act; choices?: Choices; path: string; side?: PreviewSide }
    result: FileDiff & { readonly counts: { readonly added: number; readonly deleted: number } | null }
  }
  'restore.apply': {
    params: Ws & { act: Act; choices?: Choices; plan?: string; whileLive?: boolean }
    result: RestoreResult
  }

  'checkpoint.create': { params: Ws & { label: string }; result: { checkpoint: string; seq: Seq } }
  'checkpoint.list': {
    params: Ws & { run?: string; session?: string; all?: boolean }
    result: { checkpoints: readonly Checkpoint[] }
  }

  /** Compares the disk with the log, then lists open outside changes. */
  'drift.list': { params: Ws & { check: boolean }; result: { drift: readonly Drift[] } }
  /** `paths`: only these (a folder means all below it); the rest stays open. Answers with what was named, as it is then. */
  'drift.accept': { params: Ws & { drift: string; paths?: readonly string[] }; result: { drift: Drift } }

  'file.cat': { params: Ws & { target: string; path: string }; result: { base64: string; size: number; hash: string } }
  /** Every path whose change was recorded, sorted. */
  'file.paths': { params: Ws; result: { paths: readonly { readonly path: string; readonly secret: boolean }[] } }
  /** `secret`: it looks like it holds credentials. */
  'file.history': { params: Ws & { path: string }; result: { versions: readonly PathVersion[]; secret: boolean } }

  /** Who wrote each line of the file as recorded now. Fails with NotStored when it is not text or not kept. */
  'file.blame': { params: Ws & { path: string }; result: { lines: readonly BlameLine[] } }

  /** Case does not matter. What secret-looking files hold is never found. */
  'search.run': { params: Ws & { text: string; limit: number }; result: Search }

  'export.run': { params: Ws & { run: string }; result: { report: string; patch: string; title: string } }

  /**
   * One event of an agent's hook. Answers when the agent may go on, within 2 s; `taken` is false for noise, repeats and
   * folders that are not recorded. The same `id` again changes nothing.
   */
  'agent.event': {
    params: {
      id: string
      agent: string
      event: string
      at: number
      payload: unknown
      project?: string
      run?: string
      home?: string
      process: { pid: number; start: string }
    }
    result: { taken: boolean }
  }
  /** How every agent is connected for the person, or (`project`: a folder) for one project. */
  'agents.list': { params: { project?: string }; result: { agents: readonly AgentState[] } }
  /** Registers our hooks (`mcp`: our tools instead) with an agent, for the person or (`project`: a folder) for one project. `dryRun` only shows the change; `home`: its own folder, where that is not the usual one. */
  'agents.connect': {
    params: { agent: string; dryRun: boolean; project?: string; home?: string; mcp?: boolean }
    result: AgentChange
  }
  'agents.disconnect': {
    params: { agent: string; dryRun: boolean; project?: string; home?: string; mcp?: boolean }
    result: AgentChange
  }
  /** Runs the command that stands in the agent's settings, as the agent does, and looks whether its event arrived. */
  'agents.test': { params: { agent: string; project?: string; home?: string }; result: AgentTest }
  /**
   * One use of a file tool, recorded as a call in a run of the client's session. `call`: the agent's own id of the use;
   * `run`: the run of `driftline run` around it. What is refused changes and stores nothing; `data.reason` says why.
   */
  'tools.use': {
    params: Ws & { client: ToolClient; use: ToolUse; call?: string; run?: string }
    result: ToolAnswer
  }
  /** The client is gone: its run ends. */
  'tools.leave': { params: Ws & { session: string }; result: Record<string, never> }
  'sessions.list': { params: Ws; result: { sessions: readonly Session[] } }
  /** `since`: the `mark` of an earlier answer; then only what is new of its lists is told (`withNews`). */
  'sessions.show': { params: Ws & { session: string; since?: string }; result: SessionDetail }
  /** How to go on from there; `fork` first prepares a session of the agent's own, cut at `at` (else at the present point). */
  'sessions.resume': { params: Ws & { session: string; at?: string; fork: boolean }; result: Resume }
  /** `revision`: seq of the newest message in force. `unknown`: lines of the agent's transcript that nobody here understood. */
  'sessions.messages': {
    params: Ws & { session: string }
    result: {
      revision: number
      messages: readonly Message[]
      todos: readonly Todo[]
      plan: string
      unknown: readonly string[]
    }
  }
  /** Removes a conversation's words from the history for good; what its runs changed stays, nameless. Refused while it is live. `note` is a sentence when its bytes leave the file later, else "". */
  'sessions.delete': { params: Ws & { session: string }; result: { messages: number; runs: number; note: string } }

  'doctor.run': {
    params: { workspace?: WorkspaceId; deep?: boolean }
    result: { ok: boolean; problems: readonly { workspace: string; code: string; message: string }[] }
  }
  'storage.get': { params: Ws; result: Storage }
  /**
   * Lets go of what no restore point needs, as budget and age say, and gives the space back. `dryRun` only lists it, also
   * for a budget or a number of days that is not set yet. `never`: instead, what was kept of files on the never-keep list,
   * also at restore points; those stay, and a restore names such files as not kept.
   */
  'gc.run': { params: Ws & { dryRun: boolean; budget?: number; days?: number; never?: boolean }; result: Sweep }
}

export type HostKind = 'electron' | 'server' | 'cli'
export type Method = keyof Api
export type Params<M extends Method> = Api[M]['params']
export type Result<M extends Method> = Api[M]['result']

/** Events of the engine (DESIGN section 12). `rev` grows by one with every write of that workspace (WR-1). */
export interface EngineEvents {
  /** Something a list shows changed: refetch what you show. `kinds` says what. */
  'workspace.changed': {
    readonly workspace: WorkspaceId
    readonly rev: number
    readonly kinds: readonly ('edits' | 'runs' | 'checkpoints' | 'restores' | 'drift' | 'status' | 'sessions')[]
    /** Paths of new edits, first 200. */
    readonly paths: readonly string[]
  }
  'coverage.changed': {
    readonly workspace: WorkspaceId
    readonly coverage: CoverageState
    readonly copy: CopyProgress | null
  }
  'restore.progress': {
    readonly workspace: WorkspaceId
    readonly restore: string
    readonly phase: 'stage' | 'write' | 'verify'
    readonly done: number
    readonly total: number
    readonly path: string
  }
  'workspaces.changed': Record<string, never>
  'settings.changed': { readonly key: string; readonly value: string }
  'run.ended': { readonly workspace: WorkspaceId; readonly run: string; readonly title: string; readonly files: number }
}
export type EventName = keyof EngineEvents

/** What a caller holds: typed calls and events, whatever lies between it and the engine. */
export interface Client {
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  on<E extends EventName>(event: E, listener: (payload: EngineEvents[E]) => void): () => void
}
