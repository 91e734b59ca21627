/** Conversations with agents as types: what was said, where each stands, and how to go on with one. No I/O. */
import type { Checkpoint } from './checkpoint.ts'
import type { Attribution, Seq } from './log.ts'

/**
 * What a session is busy with. `plan`: its agent is in plan mode. `verify`: it changed files, and the name of its last command
 * is that of a check (tests, types, lint); no agent says so itself, so screens show the command and not this word.
 */
export type Phase = 'plan' | 'execute' | 'verify' | 'stopped'

/** A conversation with an agent, as recorded. */
export interface Session {
  /** The agent's own id. */
  readonly id: string
  readonly agent: string
  readonly title: string
  readonly startedAt: number
  readonly lastAt: number
  readonly runs: number
  readonly phase: Phase
  readonly mode: string
  readonly model: string
  /** Tokens so far, as far as its transcript tells; absent when it tells nothing. */
  readonly tokens?: { readonly input: number; readonly output: number }
  readonly resumable: boolean
  readonly position: Position
  /** The session this one was cut from, "" when it began by itself. */
  readonly forkedFrom: string
}

/** Where a session stood when it was last heard of. */
export interface Position {
  readonly run: string | null
  readonly turn: string | null
  readonly phase: Phase
  /** The tool call that was open, if one was. */
  readonly toolCall: string | null
  /** "" while it works or before its first prompt. */
  readonly completion: '' | 'completed' | 'cancelled' | 'error' | 'interrupted'
  readonly revision: number
  readonly updatedAt: number
}

export interface Message {
  readonly seq: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly at: number
  readonly turn: string | null
  /** Taken back by a restore. */
  readonly superseded: boolean
}

/** One conversation with everything that hangs on it; with `since` only what is new of its lists. */
export interface SessionDetail {
  readonly session: Session
  /** Seq of the newest message in force, 0 before the first: what restores go back to. */
  readonly revision: number
  readonly messages: readonly Message[]
  readonly todos: readonly Todo[]
  readonly plan: string
  /** Oldest first. */
  readonly turns: readonly SessionTurn[]
  /** In the order they were opened. */
  readonly calls: readonly SessionCall[]
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[]
  /** Of each list, how many rows of what was told before stand; a row of one of them that is here again takes its place. */
  readonly from: { readonly [list in SessionList]: number }
  /** Asked with as `since`, only what is new after this answer is told. */
  readonly mark: string
}

/** The lists of a conversation: they only grow, unless something is taken back or let go. */
export const SESSION_LISTS = ['messages', 'turns', 'calls', 'checkpoints'] as const
export type SessionList = (typeof SESSION_LISTS)[number]

export const NOTHING_BEFORE: SessionDetail['from'] = { messages: 0, turns: 0, calls: 0, checkpoints: 0 }

/** A conversation brought up to date: `news` was asked for with the mark of `known`. */
export function withNews(known: SessionDetail, news: SessionDetail): SessionDetail {
  return {
    ...news,
    messages: goOn(known.messages, news.from.messages, news.messages, ({ seq }) => seq),
    turns: goOn(known.turns, news.from.turns, news.turns, idOf),
    calls: goOn(known.calls, news.from.calls, news.calls, idOf),
    checkpoints: goOn(known.checkpoints, news.from.checkpoints, news.checkpoints, idOf),
    from: NOTHING_BEFORE
  }
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

function goOn<T>(
  rows: readonly T[],
  from: number,
  told: readonly T[],
  keyOf: (row: T) => string | number
): readonly T[] {
  if (from === rows.length && told.length === 0) return rows
  const newer = new Map(told.map((row) => [keyOf(row), row]))
  const standing = rows.slice(0, from).map((row) => {
    const again = newer.get(keyOf(row))
    newer.delete(keyOf(row))
    return again ?? row
  })
  return [...standing, ...newer.values()]
}

export interface Turn {
  readonly id: string
  readonly prompt: string
  readonly at: number
  readonly endedAt: number | null
  readonly startSeq: Seq
  readonly files: number
  /** The conversation it is part of, and the seq of its prompt there. */
  readonly session: string | null
  readonly message: number | null
}

/** A turn as its conversation shows it. */
export interface SessionTurn extends Turn {
  readonly run: string
  /** The checkpoint before its prompt; null when the turn began before the prompt was known. */
  readonly checkpoint: string | null
}

export interface Todo {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** How to go on with an agent from a point of its conversation. */
export interface Resume {
  /** For a shell, quoted. */
  readonly command: string
  readonly argv: readonly string[]
  readonly cwd: string
  /** The session it was cut from; null when the command goes on with the session itself. */
  readonly forkedFrom: string | null
  /** Words to begin with; "" when there are none. */
  readonly prompt: string
  /** What to know before it is run, else "". */
  readonly note: string
}

export interface ConversationPlan {
  readonly session: string
  readonly agent: string
  readonly title: string
  readonly revision: number
  readonly toRevision: number
  /** Messages in force now that are taken back. */
  readonly supersedes: number
  /** Messages taken back before that are in force again. */
  readonly bringsBack: number
  /** The first words taken back, offered again; "" when there are none. */
  readonly prompt: string
  /** The agent's own session can be cut at this point, so that its next turn starts from there. */
  readonly resumable: boolean
  /** Why it is not resumable, or cannot go back at all; else "". */
  readonly why: string
}

/** One use of a tool. `abandoned`: the agent never told of its end. */
export interface ToolCall {
  readonly id: string
  readonly turn: string
  readonly name: string
  /** The command or the paths, for people. */
  readonly summary: string
  readonly state: 'open' | 'working' | 'done' | 'failed' | 'abandoned'
  readonly startedAt: number
  readonly endedAt: number | null
  readonly paths: readonly string[]
  readonly subagent: string | null
  /** False when the folder could not be compared with the log before it ran (GW-5). */
  readonly complete: boolean
  /** What it changed, sorted, first 200; a command's side effects are `inferred` or `shared`. */
  readonly changed: readonly CallChange[]
  readonly changedCount: number
}

/** A tool call as its conversation shows it. */
export interface SessionCall extends ToolCall {
  /** Lines it added and deleted, 0 until `counted`. */
  readonly added: number
  readonly deleted: number
  /** Counting goes on when the conversation is asked for again. A call that works and has changed much is counted when it ends. */
  readonly counted: boolean
  /** null when it is no command, or its agent does not tell what a command printed. */
  readonly output: CallOutput | null
}

/** The end of what a command printed, as words without terminal codes. */
export interface CallOutput {
  /** At most 20 lines and 4,000 characters. */
  readonly text: string
  /** What was printed before that is not kept. */
  readonly cut: boolean
}

export interface CallChange {
  readonly path: string
  readonly attribution: Attribution
}
