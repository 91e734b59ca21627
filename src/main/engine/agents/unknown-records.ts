/** Records of transcripts that nobody here understands, kept as they are: another version of the agent wrote them, and another of ours may read them. */
import type { Store } from '../store/open-store.ts'
import type { AgentId } from './agent-action.ts'
import { asFields, asText, type Fields } from './payload.ts'

export interface UnknownRecord {
  /** Where in the transcript its line begins, bytes. */
  readonly at: number
  /** The line as it is. */
  readonly text: string
}

/** Of one session. A new version's notes to itself must not fill the history. */
const MAX_RECORDS = 200
const MAX_RECORD_CHARS = 64 * 1024

/** Kinds that are read, and kinds that are known to tell people nothing. */
const KNOWN_KINDS: Readonly<Partial<Record<AgentId, ReadonlySet<string>>>> = {
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
export function isUnknownRecord(agent: AgentId, record: Fields): boolean {
  const kinds = KNOWN_KINDS[agent]
  if (!kinds || Object.keys(record).length === 0) return false
  const kind = record.type === 'event_msg' ? asText(asFields(record.payload).type) : asText(record.type)
  return !kinds.has(kind ?? (Object.keys(record)[0] as string))
}

/** Call inside a transaction. One that is there already changes nothing. */
export function saveUnknownRecords({ db }: Store, session: string, found: readonly UnknownRecord[]): void {
  const kept = db.prepare('SELECT count(*) FROM unknown_record WHERE session = ?').pluck()
  const keep = db.prepare('INSERT OR IGNORE INTO unknown_record VALUES (?, ?, ?)')
  let room = MAX_RECORDS - (found.length === 0 ? MAX_RECORDS : (kept.get(session) as number))
  for (const record of found) {
    if (room <= 0) return
    if (record.text.length <= MAX_RECORD_CHARS) room -= keep.run(session, record.at, record.text).changes
  }
}

/** In the order of the transcript; what was forgotten is left out. */
export function listUnknownRecords({ db }: Store, session: string): string[] {
  return db
    .prepare("SELECT text FROM unknown_record WHERE session = ? AND text <> '' ORDER BY at")
    .pluck()
    .all(session) as string[]
}
