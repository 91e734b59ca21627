/**
 * Keeps transcript records of unknown kinds as they are: they come from a newer version of the agent, and a newer
 * version of Driftline may understand them.
 */
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'
import { countUnknownRecords, insertUnknownRecord } from '../store/unknown-records.ts'
import { asFields, asText, type Fields } from './payload.ts'
import { wordSet } from './tool-use.ts'

export interface UnknownRecord {
  /** Offset of its line in the transcript, bytes. */
  readonly at: number
  /** The unchanged line. */
  readonly text: string
}

/** Limits per session, so that the internal records of a new agent version cannot fill the history. */
const MAX_RECORDS = 200
const MAX_RECORD_CHARS = 64 * 1024

/**
 * Kinds of records that are read, or known to hold nothing to show. opencode has no transcript; Cline's is a
 * document.
 */
const KNOWN_KINDS: Readonly<Record<string, ReadonlySet<string>>> = {
  'claude-code': wordSet(
    'user assistant system attachment summary file-history-snapshot last-prompt cost-state tools-used queue-operation progress custom-title ai-title agent-name mode permission-mode pr-link'
  ),
  codex: wordSet(
    'session_meta turn_context response_item world_state token_usage_record compacted task_started task_complete turn_aborted token_count thread_settings_applied user_message agent_message agent_reasoning item_started item_completed'
  ),
  'gemini-cli': wordSet('user gemini info error warning $set sessionId'),
  'qwen-code': wordSet('user assistant tool_result system')
}

/** Whether a record's kind is unknown for this agent. Records without a type are identified by their first key. */
export function isUnknownRecord(agent: string, record: Fields): boolean {
  const kinds = KNOWN_KINDS[agent]
  if (!kinds || Object.keys(record).length === 0) return false
  const kind = record.type === 'event_msg' ? asText(asFields(record.payload).type) : asText(record.type)
  return !kinds.has(kind ?? (Object.keys(record)[0] as string))
}

/** Stores records up to the limits; stored ones are skipped. */
export function saveUnknownRecords(tx: Writable<Store>, session: string, found: readonly UnknownRecord[]): void {
  let room = found.length === 0 ? 0 : MAX_RECORDS - countUnknownRecords(tx, session)
  for (const { at, text } of found) {
    if (room <= 0) return
    if (text.length <= MAX_RECORD_CHARS && insertUnknownRecord(tx, session, at, text)) room--
  }
}
