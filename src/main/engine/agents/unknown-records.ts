/** Records of transcripts that nobody here understands, kept as they are: another version of the agent wrote them, and another of ours may read them. */
import type { Store } from '../store/open-store.ts'
import { type AgentId, type Fields, fields, text } from './event.ts'

export interface UnknownRecord {
  /** Where in the transcript its line begins, bytes. */
  readonly at: number
  /** The line as it is. */
  readonly text: string
}

/** Of one session. A new version's notes to itself must not fill the history. */
const MOST = 200
const LARGEST = 64 * 1024

/** Kinds that are read, and kinds that are known to tell people nothing. */
const KINDS: Readonly<Partial<Record<AgentId, ReadonlySet<string>>>> = {
  'claude-code': new Set(
    'user assistant system attachment summary file-history-snapshot last-prompt cost-state tools-used queue-operation progress custom-title ai-title agent-name mode permission-mode pr-link'.split(
      ' '
    )
  ),
  codex: new Set(
    'session_meta turn_context response_item world_state token_usage_record compacted task_started task_complete turn_aborted token_count thread_settings_applied user_message agent_message agent_reasoning item_started item_completed'.split(
      ' '
    )
  ),
  'gemini-cli': new Set(['user', 'gemini', 'info', 'error', 'warning', '$set', 'sessionId']),
  'qwen-code': new Set(['user', 'assistant', 'tool_result', 'system'])
}

/** Whether a record is of a kind this agent is not known to write. */
export function isUnknown(agent: AgentId, record: Fields): boolean {
  const kinds = KINDS[agent]
  if (!kinds || Object.keys(record).length === 0) return false
  const kind = record.type === 'event_msg' ? text(fields(record.payload).type) : text(record.type)
  return !kinds.has(kind ?? (Object.keys(record)[0] as string))
}

/** Call inside a transaction. One that is there already changes nothing. */
export function keepUnknown({ db }: Store, session: string, found: readonly UnknownRecord[]): void {
  const kept = db.prepare('SELECT count(*) FROM unknown_record WHERE session = ?').pluck()
  const keep = db.prepare('INSERT OR IGNORE INTO unknown_record VALUES (?, ?, ?)')
  let room = MOST - (found.length === 0 ? MOST : (kept.get(session) as number))
  for (const record of found) {
    if (room <= 0) return
    if (record.text.length <= LARGEST) room -= keep.run(session, record.at, record.text).changes
  }
}

/** In the order of the transcript; what was forgotten is left out. */
export function unknownOf({ db }: Store, session: string): string[] {
  return db
    .prepare("SELECT text FROM unknown_record WHERE session = ? AND text <> '' ORDER BY at")
    .pluck()
    .all(session) as string[]
}
