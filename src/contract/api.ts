/**
 * The contract between the engine and every caller (window, browser, command line, hooks): method name -> parameters ->
 * result. Parameters are checked by the schemas of params.ts and their types come from there; results are the engine's
 * own and typed here.
 */
import type { AgentChange, AgentState, AgentTest } from './agents.ts'
import type { BisectResults } from './bisect.ts'
import type { StoppedNotice, StoppedRun } from './brake.ts'
import type { MadeBundle } from './bundle.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { MessagePage, Resume, Session, SessionDetail } from './conversation.ts'
import type { DiffResult, FileDiff } from './diff.ts'
import type { DoctorProblem } from './doctor.ts'
import type { EventCursor, NamedEvent } from './events.ts'
import type { Finding } from './findings.ts'
import type { GitChange, LostGit, RestoredGitItem } from './git.ts'
import type { HostPlace } from './hosts.ts'
import type { BlamePage, PathVersion, Seq } from './log.ts'
import type { ParamsByMethod } from './params.ts'
import type { Protocol } from './protocol.ts'
import type { ReplayMoment, ReplayPage } from './replay.ts'
import type { QueuedRestore, RestorePlan, RestoreResult, RestoreState } from './restore.ts'
import type { Comment, Review, ReviewDraft } from './review.ts'
import type { SearchResult } from './search.ts'
import type { WorkspaceStatus } from './status.ts'
import type { CopiedHistories, Storage, SweepResult } from './storage.ts'
import type { Drift, EntryDetail, RunEntry, RunState, RunTexts, RunWarning, TimelineEntry } from './timeline.ts'
import type { ToolAnswer } from './tools.ts'
import type {
  AddResult,
  CopyProgress,
  CoverageState,
  CoverageTotals,
  ExcludedPath,
  HostState,
  RecordedWorktree,
  Workspace,
  WorkspaceId,
  WorkspaceSummary,
  WorktreeMode
} from './workspace.ts'

export interface RunStart {
  readonly run: string
  readonly prevCheckpointId: string
  readonly workspaceDrifted: boolean
  /** The initial snapshot is not complete, so versions before its edits may be missing. */
  readonly incomplete: boolean
}

/** The facts of a run's report; times in ms UTC. */
export interface ExportedRun
  extends Pick<RunEntry, 'title' | 'prompt' | 'label' | 'userNote' | 'agent' | 'endedAt'>,
    Pick<DiffResult, 'files' | 'warnings'> {
  readonly startedAt: number
}

export interface RunResult extends DiffResult, Pick<RunEntry, 'attributed'> {
  readonly run: string
  readonly checkpointId: string
  readonly state: RunState
  /** [RN-2] About changes that count as its own only because of their time. */
  readonly notes: readonly RunWarning[]
}

/** What each method answers with; what it takes is in params.ts. */
export interface Results extends BisectResults {
  'app.info': {
    version: string
    protocol: Protocol
    platform: string
    host: HostKind
    pid: number
    dataDir: string
    home: string
    /** Milliseconds UTC, and minutes east of UTC: another machine has a clock of its own. Absent in older versions. */
    now?: number
    utcOffset?: number
  }
  /**
   * [WR-4] The events after the last one that a client has, in order. `missed` null: they are not all kept, or another
   * engine counts now; what is shown must be fetched again.
   */
  'app.resume': { stream: string; last: number; missed: readonly NumberedEvent[] | null }
  /** The editor that `editor.open` starts, by the name of its program; null without one that has its own window. */
  'editor.find': { editor: string | null }
  /** Resolves when the editor was started. Refused for a file outside of the recorded folders and agents' settings. */
  'editor.open': { editor: string }
  /** How a person starts the command line in a terminal. */
  'app.command': { command: string }
  'host.state': HostState
  /** Copies all histories, each as it is at one moment. Whoever asks for it deletes the folder. */
  'history.copy': CopiedHistories
  /** Ends the recorder once the answer is sent. Refused by the desktop app, which a person quits. */
  'recorder.stop': Record<string, never>
  /**
   * Stops or starts watching all folders; what changes meanwhile is found afterwards. Refused where nothing watches.
   */
  'host.watch': HostState
  'settings.get': { values: Readonly<Record<string, string>> }
  'settings.set': Record<string, never>

  /** The hosts that a person added, by name. Only pages ask for hosts: the host of the pages answers, not the engine. */
  'hosts.list': { hosts: readonly HostPlace[] }
  /**
   * Adds a host, or brings it up to date: installs Driftline there unless it has this build. `command`: what starts
   * Driftline in a shell there. Fails with HostUnreachable, Refused and Cancelled.
   */
  'hosts.add': { host: HostPlace; command: string }
  /** Ends an attempt to add the host. */
  'hosts.cancel': Record<string, never>
  /** Removes the host from this computer; nothing changes there. */
  'hosts.remove': Record<string, never>
  /** Tries at once to reach the host, instead of after a pause. */
  'hosts.connect': Record<string, never>
  /** Connects, and names each problem in a sentence. */
  'hosts.check': { problems: readonly string[] }

  /** `left`: removed folders whose history waits for the folder to be added again. `bundles`: open reviews. */
  'workspaces.list': {
    workspaces: readonly WorkspaceSummary[]
    left: readonly Workspace[]
    /** Absent from a host of an older version. */
    bundles?: readonly Workspace[]
  }
  /** Registers a folder and takes its initial snapshot; on a registered folder brings its coverage up to date. */
  'workspaces.add': AddResult
  'workspaces.stopCopy': Record<string, never>
  /** Stops recording a folder. */
  'workspaces.remove': Record<string, never>
  /** The folder moved: record it at its new place from now on. */
  'workspaces.locate': { workspace: Workspace }
  /** A person has read that the list of folders was made again: its notice ends. */
  'workspaces.confirmList': Record<string, never>
  /** The workspace that holds this absolute path. Fails with NotAWorkspace. */
  'workspaces.find': { workspace: Workspace; inside: string }
  /** Folders a browser drop may have meant, best first. */
  'workspaces.suggest': { folders: readonly string[] }
  /** Folder names that complete a typed path. */
  'workspaces.complete': { folders: readonly string[] }

  'workspace.status': WorkspaceStatus
  'coverage.list': { covered: CoverageTotals; notCovered: readonly ExcludedPath[] }

  /** Newest first. */
  'timeline.list': { entries: readonly TimelineEntry[]; more: boolean; total: number }
  'entry.show': EntryDetail

  'run.begin': RunStart
  'run.end': RunResult
  /** [RN-3] Names a run, or writes a note about it; `former`: both before, which undoes it. */
  'run.describe': RunTexts & { run: string; former: RunTexts }

  'diff.files': DiffResult
  'diff.patch': DiffResult & { patch: string }
  /** One file. Fails with NotStored where a run's own changes overlap with what others changed meanwhile. */
  'diff.file': FileDiff

  /** In log order; `more`: the next page follows the last edit. */
  'replay.edits': ReplayPage
  'replay.file': ReplayMoment

  'restore.plan': RestorePlan
  /**
   * One item of a plan: what is on disk now beside what it would become, or another side of it; with its line counts.
   */
  'restore.preview': FileDiff & { readonly counts: { readonly added: number; readonly deleted: number } | null }
  'restore.apply': RestoreResult
  /** Stored, and applied when no run may write any more: at once if none does now. */
  'restore.queue': { queued: QueuedRestore }
  'restore.unqueue': Record<string, never>

  'checkpoint.create': { checkpoint: string; seq: Seq }
  'checkpoint.list': { checkpoints: readonly Checkpoint[] }

  /** Open outside changes. */
  'drift.list': { drift: readonly Drift[] }
  /** What was named, as it is after accepting. */
  'drift.accept': { drift: Drift }

  /** `secret`: the file looks like it holds credentials. */
  'file.cat': { base64: string; size: number; hash: string; secret: boolean }
  /** Every path that has a recorded change, sorted. */
  'file.paths': { paths: readonly { readonly path: string; readonly secret: boolean }[] }
  /** `secret`: the file looks like it holds credentials. */
  'file.history': { versions: readonly PathVersion[]; secret: boolean }
  /** Who wrote each line of the file as recorded now. Fails with NotStored when it is not text or not stored. */
  'file.blame': BlamePage & { secret: boolean }

  /** Ignores case. Never finds what secret-looking files hold. */
  'search.run': SearchResult
  'export.run': { run: ExportedRun; patch: string; title: string }
  /** Makes a bundle of a run that has ended; whoever asked for it fetches and drops it. */
  'bundle.make': MadeBundle
  'bundle.fetch': { base64: string; end: boolean }
  'bundle.drop': Record<string, never>
  /** Sends the bundle of a client that has no path for it, in pieces. */
  'bundle.upload': { upload: string }
  /** Opens a review. Refused, with nothing left, for what is no bundle, is damaged, or was made by a newer version. */
  'bundle.open': { workspace: Workspace }
  /** Ends a review and deletes it; the bundle's file stays. */
  'bundle.close': Record<string, never>

  /**
   * One event of an agent's hook. Answers when the agent may continue, within 2 s; `ingested` is false for noise, repeats
   * and folders that are not recorded. `answer`: what the hook prints, in the agent's own form.
   */
  'agent.event': { ingested: boolean; answer?: string }
  /** How every agent is connected for the person, or with `project` for one project. */
  'agents.list': { agents: readonly AgentState[] }
  /** Registers our hooks or our MCP server with an agent. */
  'agents.connect': AgentChange
  'agents.disconnect': AgentChange
  /** Runs the command in the agent's settings as the agent does, and checks that its event arrives. */
  'agents.test': AgentTest
  /**
   * One use of a file tool, recorded as a call in a run of the client's session. A refused use changes and stores
   * nothing; `data.reason` says why.
   */
  'tools.use': ToolAnswer
  /** The client disconnected: its run ends. */
  'tools.leave': Record<string, never>

  'sessions.list': { sessions: readonly Session[] }
  'sessions.show': SessionDetail
  /** How to continue the session. */
  'sessions.resume': Resume
  'sessions.messages': MessagePage
  /** Seqs of the messages that contain the text in any case, oldest first. */
  'sessions.find': { seqs: readonly number[]; more: boolean }
  /**
   * Removes a conversation's text from the history for good; its runs' changes stay, unnamed. Refused while it is live.
   * `postponed`: its bytes leave the file later.
   */
  'sessions.delete': { messages: number; runs: number; postponed: boolean }

  /** Oldest first. */
  'comments.list': { comments: readonly Comment[] }
  /** How many threads no person resolved, by run; runs without any are absent. */
  'comments.counts': { runs: Readonly<Record<string, number>> }
  'comments.add': { comment: Comment }
  'comments.change': { comment: Comment }
  /** Its replies go with it. Refused while it is in a message, as is a change of its text. */
  'comments.delete': Record<string, never>
  /** What to look at first in a run; `more`: how many are left out. */
  'review.findings': { run: string; findings: readonly Finding[]; more: number }
  /** What no message to the agent has yet. */
  'review.get': ReviewDraft
  /** Refused when there is nothing to send, or the settings say never. */
  'review.send': { review: Review; comments: number; decisions: number }
  /** The message that waits for the session in which an agent's process works; null without one. It counts as sent. */
  'review.take': { review: Review | null }
  /** Cancels a message that the agent did not get yet. */
  'review.cancel': { review: Review }
  /** The messages of a session, newest first. */
  'review.list': { reviews: readonly Review[] }

  /** `more`: the next call has more at once. Fails with UnknownTarget beyond the end of the log. */
  'events.list': { events: readonly NamedEvent[]; next: EventCursor; more: boolean }

  /** Runs that were stopped and wait for a person. */
  'brake.list': { stopped: readonly StoppedRun[] }
  /** Lets a stopped run continue, or ends its processes. Fails with UnknownTarget. */
  'brake.decide': { run: string }
  /** Restores what a stopped run deleted, then lets it continue if every file is back; `dryRun` only plans. */
  'brake.restore': { plan: RestorePlan; result: RestoreResult | null }

  'doctor.run': { ok: boolean; problems: readonly DoctorProblem[] }
  /** Branches, stashes and commits that the repository of the folder lost. */
  'worktrees.list': { readonly mode: WorktreeMode; readonly worktrees: readonly RecordedWorktree[] }
  'git.lost': LostGit
  /** What a run did to the repository, until now while it is live. */
  'git.changes': { changes: readonly GitChange[] }
  /** Restores lost items, or lists what that would write. Undone by `git.undo`. */
  'git.restore': {
    items: readonly RestoredGitItem[]
    /** Of `all`: more is lost than these. */
    more: boolean
  }
  /** Undoes the newest `git.restore` that was not undone. */
  'git.undo': { items: readonly RestoredGitItem[] }
  'storage.get': Storage
  /**
   * Evicts what no checkpoint needs, as budget and age say, and vacuums. `dryRun` only lists it. `never`: instead
   * evicts the stored content of files on the never-store list, also at checkpoints; those stay, and a restore names
   * such files as not stored.
   */
  'gc.run': SweepResult
}

/** What runs the engine: the desktop app, the headless host, the recorder in the background, or a command by itself. */
export type HostKind = 'electron' | 'server' | 'background' | 'cli'

/** Why a caller ends the recorder: a person asked, a newer version replaces it, or the app takes its place. */
export type StopReason = ParamsByMethod['recorder.stop']['why']

/** A method without parameters or without a result does not compile. */
export type Method = Within<keyof Results, keyof ParamsByMethod> & Within<keyof ParamsByMethod, keyof Results>
export type Params<M extends Method> = ParamsByMethod[M]
export type Result<M extends Method> = Results[M]

type Within<A extends B, B> = A

/** What changed that a list shows. */
export type ChangedKind =
  | 'edits'
  | 'runs'
  | 'checkpoints'
  | 'restores'
  | 'drift'
  | 'status'
  | 'sessions'
  | 'reviews'
  | 'searches'

/** Events of the engine. `rev` grows by one with every write of that workspace (WR-1). */
export interface EngineEvents {
  /** Something a list shows changed: refetch what you show. `kinds` says what. */
  'workspace.changed': {
    readonly workspace: WorkspaceId
    readonly rev: number
    readonly kinds: readonly ChangedKind[]
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
  /** `held`: it was not applied, and waits for the person. */
  'restore.queue-ended': {
    readonly workspace: WorkspaceId
    readonly queued: QueuedRestore
    readonly state: RestoreState | 'held'
    readonly files: number
  }
  /** [BR-1] A run was stopped. */
  'brake.stopped': StoppedNotice
  'workspaces.changed': Record<string, never>
  /** The list of hosts changed, or the state or the folders of one. */
  'hosts.changed': Record<string, never>
  /** How far an attempt to add a host is. `printed`: what its command printed until now. `bytes`: of the build that is sent. */
  'hosts.progress': {
    readonly name: string
    readonly step: 'connecting' | 'sending' | 'starting'
    readonly bytes: number
    readonly printed: string
  }
  /** A host answers again. `complete`: every event since the last one was delivered; else fetch again what is shown. */
  'host.reached': { readonly host: string; readonly complete: boolean }
  /** How a restore ended whose connection was lost; `not-begun`: nothing was written. */
  'host.restored': {
    readonly host: string
    readonly workspace: WorkspaceId
    readonly state: RestoreState | 'not-begun'
    readonly files: number
  }
  'settings.changed': { readonly key: string; readonly value: string }
  'run.ended': { readonly workspace: WorkspaceId; readonly run: string; readonly title: string; readonly files: number }
}
export type EventName = keyof EngineEvents

/** An event with its number among those of its engine. */
export interface NumberedEvent {
  readonly n: number
  readonly event: EventName
  readonly payload: EngineEvents[EventName]
}

/**
 * What a caller holds: typed calls and events, whatever lies between it and the engine. `host`: where a page asks for
 * something that belongs to no workspace; absent: here.
 */
export interface Client {
  call<M extends Method>(method: M, params: Params<M>, host?: string): Promise<Result<M>>
  on<E extends EventName>(event: E, listener: (payload: EngineEvents[E]) => void): () => void
}
