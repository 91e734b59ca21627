/** What every agent tells us, in one shape; an adapter per agent makes it from that agent's own payload. */
import { isShortened } from './shortened.ts'

export const AGENTS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'cline', 'opencode'] as const
export type AgentId = (typeof AGENTS)[number]

export function isAgent(name: string): name is AgentId {
  return (AGENTS as readonly string[]).includes(name)
}

/** Where an event comes from. */
export interface Origin {
  /** The agent's own id of the conversation. */
  readonly session: string
  /** Folder that relative paths count from. */
  readonly cwd: string
  readonly transcript: string | null
  /** Set inside a subagent. */
  readonly subagent: string | null
  readonly mode: string | null
  readonly model: string | null
}

export interface Todo {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** What a tool may change: nothing, the paths it names, or anything in the folder. */
export type Reach = 'nothing' | 'paths' | 'folder'

export interface ToolUse {
  /** The agent's id of this use; null when it has none. */
  readonly call: string | null
  readonly tool: string
  readonly reach: Reach
  /** As the tool names them: absolute, or relative to `cwd`. */
  readonly paths: readonly string[]
  /** The command or the path, for people. */
  readonly summary: string
}

export type Happening =
  | { readonly kind: 'session-start' }
  | { readonly kind: 'session-end' }
  | { readonly kind: 'prompt'; readonly text: string; readonly id: string | null }
  /** The agent woke up by itself: the turn goes on. */
  | { readonly kind: 'continue' }
  | { readonly kind: 'tool-start'; readonly use: ToolUse }
  | {
      readonly kind: 'tool-end'
      readonly use: ToolUse
      readonly failed: boolean
      /** It was started and goes on working. */
      readonly background: boolean
      /** What it says a file held before. */
      readonly found?: { readonly path: string; readonly text: string }
      /** A command and what it printed, as far as the agent tells. */
      readonly printed?: { readonly command: string; readonly text: string }
    }
  /** `background`: how many things still work; null = as many as tool calls are open. */
  | { readonly kind: 'stop'; readonly message: string | null; readonly background: number | null }
  | { readonly kind: 'interrupt' }
  /** Something may have finished writing: look at the folder. */
  | { readonly kind: 'boundary' }
  | { readonly kind: 'compact' }
  /** For agents that do not say their mode with every event. */
  | { readonly kind: 'mode'; readonly mode: string }
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'todo'; readonly id: string; readonly text: string; readonly status: Todo['status'] }

export interface AgentEvent {
  readonly origin: Origin
  /** In order; a tool's end may also carry todos. Empty = noise. */
  readonly happened: readonly Happening[]
}

/** From an event's name and the payload as parsed from JSON; null when it is not this agent's payload. */
export type Adapter = (event: string, payload: Fields) => AgentEvent | null

export type Fields = Readonly<Record<string, unknown>>

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** A line as a record; an empty one when it is no JSON. */
export function recordOf(line: string): Fields {
  try {
    return fields(JSON.parse(line))
  } catch {
    // SyntaxError: no JSON, which says nothing.
    return {}
  }
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A plan that is put before a person, if the tool's input holds one. */
export function planTold(words: unknown): Happening[] {
  const plan = text(words)
  return plan ? [{ kind: 'plan', text: plan }] : []
}

/** What a tool's reply says a file held; nothing for a file it made. */
export function foundText(path: unknown, original: unknown): { found?: { path: string; text: string } } {
  // What lost its middle is no file's content.
  return text(path) && text(original) && !isShortened(original as string)
    ? { found: { path: path as string, text: original as string } }
    : {}
}

/** What a command printed, from the texts its tool's reply has it in; nothing when there are none. */
export function printedText(
  command: unknown,
  ...texts: readonly unknown[]
): {
  printed?: { command: string; text: string }
} {
  const said = texts.flatMap((one) => text(one) ?? []).join('\n')
  const told = [command].flat().flatMap((one) => text(one) ?? [])
  return said === '' ? {} : { printed: { command: told.join('\n'), text: said } }
}

/** Todos in any of the shapes agents use. */
export function todosOf(value: unknown): Todo[] {
  return list(value).flatMap((one) => {
    const item = fields(one)
    const words = text(item.content) ?? text(item.description) ?? text(item.subject) ?? text(item.text)
    return words ? [{ text: words, status: statusOf(item.status) }] : []
  })
}

export function statusOf(value: unknown): Todo['status'] {
  return value === 'in_progress' || value === 'completed' ? value : 'pending'
}

/** The adapter of agents whose hooks say who and where in Claude Code's fields; `happened` gets the event's name and payload. */
export function hookAdapter(happened: (event: string, payload: Fields) => Happening[]): Adapter {
  return (event, payload) => {
    const session = text(payload.session_id)
    const cwd = text(payload.cwd)
    if (!session || !cwd) return null
    return {
      origin: {
        session,
        cwd,
        transcript: text(payload.transcript_path),
        subagent: text(payload.agent_id),
        mode: text(payload.permission_mode),
        model: text(payload.model)
      },
      happened: happened(text(payload.hook_event_name) ?? event, payload)
    }
  }
}
