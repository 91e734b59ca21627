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
  /** A sentence on the managed settings that block our entries, else "". */
  readonly managed: string
  /** Its session files are newer than its last event: its hooks do not run. */
  readonly silent: boolean
  /** Whether our MCP server is registered (`connect --mcp`), and in which file; null if that is not known. */
  readonly tools: { readonly on: boolean; readonly file: string } | null
  readonly problems: readonly string[]
}

/** The result of sending one event exactly as the agent sends its own. */
export interface AgentTest {
  readonly sent: boolean
  /** Time until it arrived, ms; null if it did not. */
  readonly receivedMs: number | null
  /** It was stored. */
  readonly recorded: boolean
  /**
   * What failed and what to do, else "". An agent that does not trust our hooks sends nothing even if this test
   * succeeds.
   */
  readonly problem: string
}

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
  /** A sentence on what to do next or what to expect, else "". */
  readonly note: string
}
