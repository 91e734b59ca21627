/** Conversations with agents: their messages, turns, tool calls and checkpoints, and how one is resumed. No I/O. */
import type { Checkpoint } from './checkpoint.ts'
import type { Attribution, Seq } from './log.ts'

/**
 * What a session is doing. `plan`: its agent is in plan mode. `verify`: it changed files, and its last command looks
 * like a check (tests, types, lint). That is a guess from the command's name, so screens show the command and not this
 * word.
 */
export type Phase = 'plan' | 'execute' | 'verify' | 'stopped'

export interface Session {
  /** The agent's own id of the conversation. */
  readonly id: string
  readonly agent: string
  readonly title: string
  readonly startedAt: number
  readonly lastAt: number
  /** Number of runs. */
  readonly runs: number
  readonly phase: Phase
  readonly mode: string
  readonly model: string
  /** Tokens so far, from its transcript; absent if the transcript has no numbers. */
  readonly tokens?: { readonly input: number; readonly output: number }
  readonly resumable: boolean
  readonly position: SessionPosition
  /** The session this one is a fork of, "" if it is none. */
  readonly forkedFrom: string
}

/** The state of a session at its last event. */
export interface SessionPosition {
  readonly run: string | null
  readonly turn: string | null
  readonly phase: Phase
  /** The open tool call; null without one. */
  readonly toolCall: string | null
  /** How its last turn ended; "" during a turn and before the first. */
  readonly completion: '' | 'completed' | 'cancelled' | 'error' | 'interrupted'
  readonly revision: number
}

export interface Message {
  readonly seq: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** The stored text is damaged, and `text` says so. */
  readonly damaged?: true
  readonly at: number
  readonly turn: string | null
  /** Undone by a restore. */
  readonly superseded: boolean
}

/** Ranges of seqs, both ends included, the newest first. */
export type SeqRanges = readonly (readonly [first: number, last: number])[]

export function isInForce(inForce: SeqRanges, seq: number): boolean {
  return inForce.some(([first, last]) => seq >= first && seq <= last)
}

/** Adjacent messages of a conversation, oldest first, and its state. Texts never change, so pages stay valid. */
export interface MessagePage {
  /** Seq of the newest message in force, 0 before the first. A restore sets it. */
  readonly revision: number
  readonly messages: readonly Message[]
  /** The messages in force; all others are superseded. */
  readonly inForce: SeqRanges
  /** Whether there are messages before and after these. */
  readonly more: { readonly before: boolean; readonly after: boolean }
  readonly todos: readonly Todo[]
  readonly plan: string
  /** Lines of the agent's transcript that could not be parsed; with the first message only. */
  readonly unknown: readonly string[]
}

/** The state of a conversation and its lists; with `since` (`sessions.show`) only the new rows of the lists. */
export interface SessionDetail {
  readonly session: Session
  readonly revision: number
  readonly todos: readonly Todo[]
  readonly plan: string
  /** Oldest first. */
  readonly turns: readonly SessionTurn[]
  /** In the order they were opened. */
  readonly calls: readonly SessionCall[]
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[]
  /** Per list, how many of the rows sent before are still valid. A row sent again replaces the one with its key. */
  readonly from: { readonly [list in SessionList]: number }
  /** Pass it as `since` to get only what is new after this answer. */
  readonly mark: string
}

/** The lists of a conversation. Rows are appended, except after an undo or when content is evicted. */
export const SESSION_LISTS = ['turns', 'calls', 'checkpoints'] as const
export type SessionList = (typeof SESSION_LISTS)[number]

export const NO_KNOWN_ROWS: SessionDetail['from'] = { turns: 0, calls: 0, checkpoints: 0 }

/** Merges `update`, which was requested with the mark of `known`, into it. Unchanged lists keep their identity. */
export function applySessionUpdate(known: SessionDetail, update: SessionDetail): SessionDetail {
  return {
    ...update,
    turns: mergeRows(known.turns, update.from.turns, update.turns, idOf),
    calls: mergeRows(known.calls, update.from.calls, update.calls, idOf),
    checkpoints: mergeRows(known.checkpoints, update.from.checkpoints, update.checkpoints, idOf),
    from: NO_KNOWN_ROWS
  }
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

/** Keeps the first `from` known rows, replaces those that were sent again, and appends the rest. */
function mergeRows<T>(
  known: readonly T[],
  from: number,
  sent: readonly T[],
  keyOf: (row: T) => string | number
): readonly T[] {
  if (from === known.length && sent.length === 0) return known
  const sentByKey = new Map(sent.map((row) => [keyOf(row), row]))
  const kept = known.slice(0, from).map((row) => {
    const replacement = sentByKey.get(keyOf(row))
    sentByKey.delete(keyOf(row))
    return replacement ?? row
  })
  return [...kept, ...sentByKey.values()]
}

export interface Turn {
  readonly id: string
  readonly prompt: string
  readonly at: number
  readonly endedAt: number | null
  readonly startSeq: Seq
  readonly files: number
  readonly session: string | null
  /** Seq of its prompt in the session; null if the prompt is not known there. */
  readonly message: number | null
}

/** A turn in the list of its conversation. */
export interface SessionTurn extends Turn {
  readonly run: string
  /** The checkpoint before its prompt; null if the turn began before its prompt arrived. */
  readonly checkpoint: string | null
}

export interface Todo {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** How to continue a conversation with its agent. */
export interface Resume {
  /** `argv` as text for the shells of the system: POSIX shells, or cmd and PowerShell. */
  readonly command: string
  readonly argv: readonly string[]
  readonly cwd: string
  /** The session that was forked; null if the command continues the session itself. */
  readonly forkedFrom: string | null
  /** The prompt to send first, else "". */
  readonly prompt: string
  /** What to know before running it. */
  readonly note: ResumeNote | null
}

/**
 * `remembers`: the session itself, whose agent knows what came after this point. `working`: its agent is still working.
 * `no-messages`: nothing came before this point, so it starts a new session. `new-session`: with the prompt, because the
 * session cannot be forked.
 */
export type ResumeNote = 'remembers' | 'working' | 'no-messages' | 'new-session'

/** Why no way to resume was prepared: the error's message, or the error of the system in the agent's own folder. */
export type ResumeFailure =
  | { readonly code: 'refused'; readonly message: string }
  | { readonly code: 'failed'; readonly error: string; readonly session: string }

/**
 * Why a conversation cannot be restored: none was recorded, it was continued since, or the agent's own transcript is
 * unreadable or lacks the message to cut at. `not-forkable`: it is restored, but the agent cannot resume it there.
 */
export type ConversationObstacle =
  | 'not-recorded'
  | 'continued'
  | 'transcript-unreadable'
  | 'message-missing'
  | 'not-forkable'

/** What a restore does to a conversation. */
export interface ConversationPlan {
  readonly session: string
  readonly agent: string
  readonly title: string
  readonly revision: number
  readonly toRevision: number
  /** Number of messages that are undone. */
  readonly supersedes: number
  /** Number of undone messages that are in force again. */
  readonly bringsBack: number
  /** The first prompt that is undone, to edit and send again; else "". */
  readonly prompt: string
  /** The agent's own session can be forked at this position. */
  readonly resumable: boolean
  /** Set if it cannot be restored, or not resumed. */
  readonly why: ConversationObstacle | null
}

/** One use of a tool. `working`: it returned, its processes continue. `abandoned`: its end was never reported. */
export interface ToolCall {
  readonly id: string
  readonly turn: string
  readonly name: string
  /** The command or the paths, to be shown. */
  readonly summary: string
  readonly state: 'open' | 'working' | 'done' | 'failed' | 'abandoned'
  readonly startedAt: number
  readonly endedAt: number | null
  readonly paths: readonly string[]
  readonly subagent: string | null
  /** False if the folder could not be scanned before it ran, so versions before its edits may be missing (GW-5). */
  readonly complete: boolean
  /** Paths it changed, sorted, at most 200. Side effects of a command are `inferred` or `shared`. */
  readonly changed: readonly CallChange[]
  readonly changedCount: number
}

/** A tool call in the list of its conversation. */
export interface SessionCall extends ToolCall {
  /** How many of the files it changed it renamed: both names are in `changed`, and it is one file (UI-6). */
  readonly renames: number
  /** Lines it added and deleted, 0 until `counted`. */
  readonly added: number
  readonly deleted: number
  /**
   * False: request the conversation again to continue counting. A working call with many changes is counted when it
   * ends.
   */
  readonly counted: boolean
  /** Null if it is no command, or its agent does not report output. */
  readonly output: CallOutput | null
}

/** The end of what a command printed, as plain text without terminal codes. */
export interface CallOutput {
  /** At most 20 lines and 4,000 characters. */
  readonly text: string
  /** Earlier output is not stored. */
  readonly cut: boolean
}

export interface CallChange {
  readonly path: string
  readonly attribution: Attribution
}
