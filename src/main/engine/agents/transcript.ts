/**
 * Imports what is new in an agent's transcript: messages, usage, unknown records and rewinds. The
 * session's row stores the offset up to which the file was imported, so each byte is imported once.
 */

import { fillInPrompt } from '../runs/agent-runs.ts'
import { addMessage } from '../runs/session-rows.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { transact, type Writable } from '../store/sql.ts'
import { countUnknownRecords, insertUnknownRecord } from '../store/unknown-records.ts'
import { transcriptFile, withAgentFile } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { asFields, asText, type Fields } from './payload.ts'
import { applyRewinds, findRewinds } from './rewinds.ts'
import { wordSet } from './tool-use.ts'
import { readDocument, readLines, type TranscriptRecord } from './transcript-file.ts'
import { addUsage, MESSAGE_READERS, USAGE_READERS, writesDocument } from './transcript-records.ts'

/**
 * Appends new messages to the session. Unreadable or malformed files are ignored. With `prompt`, the text of a prompt
 * that is about to be recorded, only messages before that prompt are imported: those after it belong to the next
 * turn. `end`: where the transcript ended at the time of the import, bytes, if that is past.
 */
export function importTranscript(
  context: SessionContext,
  id: string,
  { prompt, end = Number.POSITIVE_INFINITY }: { readonly prompt?: string; readonly end?: number | undefined } = {}
): void {
  const session = findSession(context.store, id)
  const read = session && readNewRecords(context, session, end)
  if (!session || !read) return
  const promptAt =
    prompt === undefined
      ? -1
      : read.messages.findLastIndex((message) => message.role === 'user' && message.text === prompt.trim())
  transact(context.store, (tx) => {
    for (const message of promptAt < 0 ? read.messages : read.messages.slice(0, promptAt)) {
      addMessage(tx, id, { ...message, turn: session.turn, at: message.at ?? context.now() })
      if (message.role === 'user') fillInPrompt(tx, session, message.text)
    }
    saveUnknownRecords(tx, id, read.unknown)
    // Do not move the offset: the rest is read again once the prompt is recorded.
    if (promptAt < 0)
      updateSession(tx, id, {
        transcript_at: read.upTo,
        leaf: read.rewinds.leaf,
        usage: addUsage(session.usage, read.usage),
        model: read.usage.findLast(({ model }) => model !== null)?.model ?? session.model
      })
    bumpRev(tx)
  })
  if (promptAt < 0) applyRewinds(context, session, read.rewinds.rewound)
}

/** Imports the transcript up to its end, in as many steps as it takes. */
export function importWholeTranscript(context: SessionContext, id: string): void {
  const upTo = (): number | undefined => findSession(context.store, id)?.transcript_at
  for (let before = Number.NaN; before !== upTo(); ) {
    before = upTo() ?? Number.NaN
    importTranscript(context, id)
  }
}

/**
 * What the part of the transcript behind the session's offset holds; null when there is nothing new that can be read.
 */
function readNewRecords(context: SessionContext, session: SessionRow, end: number) {
  const { agent, transcript_at: offset } = session
  const file = transcriptFile(context, session)
  const reader = MESSAGE_READERS[agent]
  if (!file || !reader) return null
  // A shorter file was rewritten: read it from the start. Messages imported before are recognised by their ids.
  // A document is read as a whole whenever its size changes.
  return withAgentFile(file, (descriptor, stats) => {
    const size = writesDocument(agent) ? stats.size : Math.min(stats.size, end)
    if (size === offset) return null
    const from = size < offset ? 0 : offset
    const part = writesDocument(agent) ? readDocument(descriptor, size) : readLines(descriptor, from, size)
    if (!part) return null
    const records = part.records.map(({ fields }) => fields)
    // After a line that was too long to be read, the next record's parent is not known.
    const leaf = from === 0 || records.length === 0 ? null : session.leaf
    return {
      messages: records.flatMap(reader),
      usage: records.flatMap((record) => USAGE_READERS[agent]?.(record) ?? []),
      unknown: part.records.filter(({ fields }) => isUnknownRecord(agent, fields)),
      rewinds: findRewinds(
        agent,
        records,
        leaf,
        (record) => reader(record).find(({ role }) => role === 'user')?.source ?? null
      ),
      upTo: part.upTo
    }
  })
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
function isUnknownRecord(agent: string, record: Fields): boolean {
  const kinds = KNOWN_KINDS[agent]
  if (!kinds || Object.keys(record).length === 0) return false
  const kind = record.type === 'event_msg' ? asText(asFields(record.payload).type) : asText(record.type)
  return !kinds.has(kind ?? (Object.keys(record)[0] as string))
}

/**
 * Keeps records of unknown kinds as they are, up to the limits: they come from a newer version of the agent, and a
 * newer version of Driftline may understand them. Stored ones are skipped.
 */
export function saveUnknownRecords(
  tx: Writable<Store>,
  session: string,
  found: readonly Pick<TranscriptRecord, 'at' | 'text'>[]
): void {
  let room = found.length === 0 ? 0 : MAX_RECORDS - countUnknownRecords(tx, session)
  for (const { at, text } of found) {
    if (room <= 0) return
    if (text.length <= MAX_RECORD_CHARS && insertUnknownRecord(tx, session, at, text)) room--
  }
}
