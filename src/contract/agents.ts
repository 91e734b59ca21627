/**
 * Agents on this computer: how they are connected, what connecting changes, and whether their events arrive. No I/O.
 */

export interface AgentState {
  readonly id: string
  /** Its program or its settings folder was found. */
  readonly found: boolean
  readonly version: string | null
  readonly connected: 'yes' | 'partly' | 'no'
  /** Whether the agent runs our hooks; null if it has no trust setting, or the setting cannot be read. */
  readonly trusted: boolean | null
  /** When its last hook event arrived, ms UTC. */
  readonly lastEventAt: number | null
  /** The settings file for our entries, whether it has them or not; the first of several. */
  readonly file: string
  /** How many of our entries are in its settings, and how many belong there. */
  readonly entries: { readonly found: number; readonly wanted: number }
  /** Set when its settings cannot be parsed. */
  readonly unreadable: { readonly file: string; readonly line: number; readonly message: string } | null
  /** The managed settings that block our entries; null without any. */
  readonly managed: ManagedSettings | null
  /** Its session files are newer than its last event: its hooks do not run. */
  readonly silent: boolean
  /** Whether our MCP server is registered (`connect --mcp`), and in which file; null if that is not known. */
  readonly tools: { readonly on: boolean; readonly file: string } | null
  readonly problems: readonly AgentProblem[]
}

/** `policy`: an organisation's file allows only its own hooks. `locked`: there is no permission to write the file. */
export interface ManagedSettings {
  readonly code: 'policy' | 'locked'
  readonly file: string
}

/**
 * What is wrong with a connection. `no-events`: it is in order but unused; `no-trusted-hooks`: the same, of Codex, which
 * trusts none of the hooks. `outdated`: hooks of an earlier version; `incomplete`: some are missing. `silent`: the agent
 * has worked since its last event. `untrusted`, `turned-off`: in Codex. `all-off`: the file disables all hooks.
 */
export type AgentProblem =
  | { readonly code: 'no-events' | 'no-trusted-hooks' | 'outdated' | 'silent' }
  | { readonly code: 'incomplete'; readonly found: number; readonly wanted: number }
  | { readonly code: 'untrusted'; readonly trusted: number; readonly hooks: number }
  | { readonly code: 'turned-off'; readonly hooks: number }
  | { readonly code: 'all-off'; readonly file: string }
  | { readonly code: 'unreadable'; readonly file: string; readonly line: number; readonly message: string }
  | ManagedSettings

/** Why a test event did not arrive. `missing`: no entries. `failed`: the system could not start the command. `refused`: the
 * test itself was; its error message. */
export type AgentTestProblem =
  | { readonly code: 'missing' | 'no-event' }
  | { readonly code: 'timeout'; readonly seconds: number }
  | { readonly code: 'failed' | 'refused'; readonly message: string }
  | { readonly code: 'exited'; readonly exitCode: number | null }
  | (AgentProblem & { readonly code: 'untrusted' })

/** The result of sending one event exactly as the agent sends its own. */
export interface AgentTest {
  readonly sent: boolean
  /** Time until it arrived, ms; null if it did not. */
  readonly receivedMs: number | null
  /** It was stored. */
  readonly recorded: boolean
  /**
   * Null if it succeeded. An agent that does not trust our hooks sends nothing even if this test succeeds.
   */
  readonly problem: AgentTestProblem | null
}

/**
 * `next-start`: takes effect then; `may-be-overwritten`: by a running Claude Code; `trust-hooks`: Codex asks first;
 * `downloads-plugin`: opencode, on its next start.
 */
export type AgentNote = 'next-start' | 'may-be-overwritten' | 'trust-hooks' | 'downloads-plugin'

/** What connecting or disconnecting changes in an agent's settings. */
export interface AgentChange {
  readonly agent: string
  readonly scope: 'user' | 'project'
  readonly file: string
  /** A unified diff, "" when nothing changes. */
  readonly change: string
  /** Files and folders that are deleted: Driftline created them, and they hold nothing else. */
  readonly removed: readonly string[]
  /** The backup file; null if nothing was written, or the file did not exist or held only our entries. */
  readonly backup: string | null
  readonly applied: boolean
  /** What to do next or what to expect. */
  readonly notes: readonly AgentNote[]
}
