/** Agents on this computer: how they are connected, what connecting changes, and whether the way is open. No I/O. */

/** An agent on this computer. */
export interface AgentState {
  readonly id: string
  /** It seems to be installed. */
  readonly found: boolean
  readonly version: string | null
  readonly connected: 'yes' | 'partly' | 'no'
  /** Whether the agent runs our hooks; null when it does not ask for trust, or cannot be told. */
  readonly trusted: boolean | null
  readonly lastEventAt: number | null
  /** The file that holds our entries, or would; the first of several. */
  readonly file: string
  /** How many of our entries are there, of how many. */
  readonly entries: { readonly found: number; readonly wanted: number }
  /** Its settings cannot be understood. */
  readonly unreadable: { readonly file: string; readonly line: number; readonly message: string } | null
  /** Who keeps our entries out or from running, as a sentence; "" when nobody does. */
  readonly managed: string
  /** It has worked since it was last heard of: its hooks do not run. */
  readonly silent: boolean
  /** Our file tools (`connect --mcp`): whether it has them, and the file that says so; null where that is not known. */
  readonly tools: { readonly on: boolean; readonly file: string } | null
  readonly problems: readonly string[]
}

/** What became of one event sent the way the agent sends its own. */
export interface AgentTest {
  readonly sent: boolean
  /** After how many ms it came in; null when it did not. */
  readonly receivedMs: number | null
  /** It stands in our data. */
  readonly recorded: boolean
  /** What went wrong and what to do, else "". It may be recorded and still not be sent by an agent that does not trust our hooks. */
  readonly problem: string
}

/** What connecting or disconnecting changes in an agent's settings. */
export interface AgentChange {
  readonly agent: string
  readonly scope: 'user' | 'project'
  readonly file: string
  /** A unified diff, "" when nothing changes. */
  readonly change: string
  /** Files and folders that go: Driftline made them, and nothing else is in them. */
  readonly removed: readonly string[]
  /** Copy of what was there, null when that was nothing, or only what Driftline itself writes, or nothing was written. */
  readonly backup: string | null
  readonly applied: boolean
  /** What a person should know or do, else "". */
  readonly note: string
}
