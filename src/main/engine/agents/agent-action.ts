/**
 * The common model of what agents do. Each agent's adapter turns its hook events into these actions; everything behind
 * the adapters is independent of the agent.
 */
import type { Todo } from '../../../contract/conversation.ts'
import type { SessionUpdate } from '../store/sessions.ts'
import type { WriteScope } from '../store/tool-calls.ts'

export const AGENTS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'cline', 'opencode'] as const
export type AgentId = (typeof AGENTS)[number]

export function isAgent(name: string): name is AgentId {
  return (AGENTS as readonly string[]).includes(name)
}

/** The source of an event. */
export interface Origin extends Pick<SessionUpdate, 'cwd' | 'transcript' | 'mode' | 'model'> {
  /** The agent's own id of its session. */
  readonly session: string
  /** Id of the subagent the event comes from; null for the main agent. */
  readonly subagent: string | null
}

export interface ToolUse {
  /** The agent's id of this call; null when it has none. */
  readonly call: string | null
  readonly tool: string
  readonly writeScope: WriteScope
  /** As the tool names them: absolute, or relative to `cwd`. */
  readonly paths: readonly string[]
  /** The command or the path, for display. */
  readonly summary: string
}

export type AgentAction =
  | { readonly kind: 'session-start' }
  | { readonly kind: 'session-end' }
  | { readonly kind: 'prompt'; readonly text: string; readonly id: string | null }
  /** The agent resumed by itself, for example when background work ended: the turn continues. */
  | { readonly kind: 'continue' }
  | { readonly kind: 'tool-start'; readonly use: ToolUse }
  | ToolEnd
  /**
   * `background`: number of background tasks still running; null when the agent does not report it (count open calls).
   */
  | { readonly kind: 'stop'; readonly message: string | null; readonly background: number | null }
  | { readonly kind: 'interrupt' }
  /** A unit of work may have finished writing: scan the workspace. */
  | { readonly kind: 'boundary' }
  | { readonly kind: 'compact' }
  /** Only for agents that do not send their mode with every event. */
  | { readonly kind: 'mode'; readonly mode: string }
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | TodoUpdate

export interface ToolEnd {
  readonly kind: 'tool-end'
  readonly use: ToolUse
  readonly failed: boolean
  /** The call started work that continues in the background. */
  readonly background: boolean
  /** Content of a file before the call, as the tool reports it. */
  readonly original: FileText | null
  /** A command and what it printed, as far as the agent reports it. */
  readonly output: CommandOutput | null
  /** A command and its exit code; null unless the agent reports it beyond doubt. */
  readonly exit: CommandExit | null
}

/** One entry of a todo list, for agents that report entries one at a time. */
export interface TodoUpdate {
  readonly kind: 'todo'
  readonly id: string
  readonly text: string
  readonly status: Todo['status']
}

export interface FileText {
  readonly path: string
  readonly text: string
}

export interface CommandOutput {
  readonly command: string
  readonly text: string
}

export interface CommandExit {
  readonly command: string
  readonly code: number
}

export interface AgentEvent {
  readonly origin: Origin
  /** In order; a tool's end may also carry todos. Empty for events that mean nothing to us. */
  readonly actions: readonly AgentAction[]
}
