/**
 * Imports what is new in an agent's transcript: messages, usage, unknown records and rewinds. The session's row stores
 * the offset up to which the file was imported, so each byte is imported once. Long parts are left to catch-up.ts.
 */
import { fillInPrompt } from '../runs/agent-runs.ts'
import { appendMessage } from '../runs/session-rows.ts'
import { recordTestResult } from '../runs/test-results.ts'
import { addLateImport } from '../store/late-steps.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { transact, type Writable } from '../store/sql.ts'
import { setExitCode } from '../store/tool-calls.ts'
import { countUnknownRecords, insertUnknownRecord } from '../store/unknown-records.ts'
import { transcriptFile, withAgentFile } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { asFields, asText, type Fields } from './payload.ts'
import { applyRewinds, findRewinds } from './rewinds.ts'
import { wordSet } from './tool-use.ts'
import { readDocument, readLines, type TranscriptRecord } from './transcript-file.ts'
import {
  addUsage,
  EXIT_READERS,
  MESSAGE_READERS,
  type TranscriptExit,
  USAGE_READERS,
  writesDocument
} from './transcript-records.ts'

/** What is imported at the event itself, bytes; a longer part is imported after it was answered. */
const MAX_AT_EVENT = 256 * 1024
/** What is imported in one transaction, bytes: about 20 ms of work. */
const IMPORT_BYTES = 512 * 1024

interface Part {
  /** The text of a prompt that is about to be recorded: messages after it belong to the next turn. */
  readonly prompt?: string
  /** Where the transcript ended at the time of the import, bytes, if that is past. */
  readonly end?: number | undefined
}

/**
 * Appends new messages to the session, or leaves that to the catch-up when they are many. Unreadable or malformed
 * files are ignored. With `prompt` only messages before that prompt are imported.
 */
export function importTranscript(context: SessionContext, id: string, part: Part = {}): void {
  const session = findSession(context.store, id)
  if (!session) return
  const size = transcriptSize(context, session, part.end)
  if (session.behind === 0 && size - session.transcript_at <= MAX_AT_EVENT) {
    importPart(context, session, part)
    return
  }
  const { prompt = '' } = part
  transact(context.store, (tx) => addLateImport(tx, id, { upTo: size, prompt, turn: session.turn }))
}

/** Bytes; 0 when the transcript cannot be read, or is imported as a whole whenever it changes. */
function transcriptSize(context: SessionContext, session: SessionRow, end = Number.POSITIVE_INFINITY): number {
  const file = writesDocument(session.agent) ? null : transcriptFile(context, session)
  return (file && withAgentFile(file, (_, { size }) => Math.min(size, end))) ?? 0
}

/**
 * Imports up to IMPORT_BYTES in one transaction. Returns whether nothing is left before the end, or before the
 * prompt.
 */
export function importPart(context: SessionContext, session: SessionRow, part: Part): boolean {
  const { id } = session
  const { prompt, end = Number.POSITIVE_INFINITY } = part
  return transact<Store, boolean>(context.store, (tx) => {
    const read = readNewRecords(context, session, end)
    if (!read) return true
    const { messages, isLast } = read
    // An earlier message with the text of the prompt is another prompt.
    const promptAt =
      prompt === undefined || !isLast
        ? -1
        : messages.findLastIndex(({ role, text }) => role === 'user' && text === prompt.trim())
    for (const message of promptAt < 0 ? messages : messages.slice(0, promptAt)) {
      appendMessage(tx, id, { ...message, turn: session.turn, at: message.at ?? context.now() })
      if (message.role === 'user') fillInPrompt(tx, session, message.text)
    }
    for (const exit of read.exits) recordExit(tx, context, session, exit)
    saveUnknownRecords(tx, id, read.unknown)
    bumpRev(tx)
    // Do not move the offset: the rest is read again once the prompt is recorded.
    if (promptAt >= 0) return true
    updateSession(tx, id, {
      transcript_at: read.upTo,
      leaf: read.rewinds.leaf,
      usage: addUsage(session.usage, read.usage),
      model: read.usage.findLast(({ model }) => model !== null)?.model ?? session.model
    })
    applyRewinds(context, session, read.rewinds.rewound, read.upTo)
    return isLast
  })
}

/** [TS-1] An end event that arrives later takes the exit code from the call. */
function recordExit(tx: Writable<Store>, context: SessionContext, session: SessionRow, exit: TranscriptExit): void {
  const call = session.turn && setExitCode(tx, session.turn, exit.call, exit.code)
  // Of a call from the spool the positions are not those of its time; the folder was not scanned before it either.
  if (!call || call.closed_at === null || call.end_seq === null || call.complete === 0) return
  const { id, run, start_seq: startSeq, end_seq: endSeq, closed_at: at } = call
  recordTestResult(tx, { ...exit, run, call: id, startSeq, endSeq, at }, context.testCommands())
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
    const from = stats.size < offset ? 0 : offset
    if (size === offset || (size < from && !writesDocument(agent))) return null
    const part = writesDocument(agent)
      ? readDocument(descriptor, size)
      : readLines(descriptor, from, size, IMPORT_BYTES)
    if (!part) return null
    const records = part.records.map(({ fields }) => fields)
    // After a line that was too long to be read, the next record's parent is not known.
    const leaf = from === 0 || part.skipped ? null : session.leaf
    return {
      messages: records.flatMap(reader),
      exits: records.flatMap((record) => EXIT_READERS[agent]?.(record) ?? []),
      usage: records.flatMap((record) => USAGE_READERS[agent]?.(record) ?? []),
      unknown: part.records.filter(({ fields }) => isUnknownRecord(agent, fields)),
      rewinds: findRewinds(
        agent,
        records,
        leaf,
        (record) => reader(record).find(({ role }) => role === 'user')?.source ?? null
      ),
      upTo: part.upTo,
      isLast: part.isLast
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
