/**
 * Readers for the transcript records of each agent: messages (text only) and ends of work. Unknown records read as
 * nothing.
 */
import type { Role } from '../store/messages.ts'
import type { AgentId } from './agent-action.ts'
import { asFields, asList, asText, type Fields } from './payload.ts'

export interface TranscriptMessage {
  /** The record's own id: a message that is read again is recognised by it. */
  readonly source: string
  readonly role: Role
  readonly text: string
  /** ms UTC; null when the record has no time. */
  readonly at: number | null
}

export type LineReader = (record: Fields) => TranscriptMessage | null
export type DocumentReader = (document: Fields) => TranscriptMessage[]

/** Message readers for transcripts with one JSON record per line. */
export const LINE_READERS: Readonly<Partial<Record<AgentId, LineReader>>> = {
  'claude-code': (record) => {
    if (record.isSidechain === true || record.isMeta === true || record.isCompactSummary === true) return null
    if (record.type !== 'user' && record.type !== 'assistant') return null
    return createMessage(
      record.uuid,
      record.type,
      joinText(asFields(record.message).content),
      parseTime(record.timestamp)
    )
  },
  codex: (record) => {
    const payload = asFields(record.payload)
    if (record.type !== 'event_msg' || payload.type !== 'item_completed') return null
    const item = asFields(payload.item)
    const role = item.type === 'UserMessage' ? 'user' : item.type === 'AgentMessage' ? 'assistant' : null
    return role && createMessage(item.id, role, joinText(item.content), parseTime(record.timestamp))
  },
  'gemini-cli': (record) => {
    const role = record.type === 'user' ? 'user' : record.type === 'gemini' ? 'assistant' : null
    return role && createMessage(record.id, role, joinText(record.content), parseTime(record.timestamp))
  },
  'qwen-code': (record) => {
    const role = record.provenance === 'real_user' ? 'user' : record.type === 'assistant' ? 'assistant' : null
    return (
      role && createMessage(record.uuid, role, joinText(asFields(record.message).parts), parseTime(record.timestamp))
    )
  }
}

/** The end of one tool call, or (`call` null) of all work, because the user interrupted the agent. */
export interface TranscriptEnd {
  readonly call: string | null
  readonly failed: boolean
  readonly at: number
}

/** Only for agents whose hooks omit ends, and whose records use the same call ids as their hooks. */
export const END_READERS: Readonly<Partial<Record<AgentId, (record: Fields) => TranscriptEnd[]>>> = {
  'claude-code': (record) => {
    const at = parseTime(record.timestamp)
    if (record.isSidechain === true || record.type !== 'user' || at === null) return []
    return asList(asFields(record.message).content).flatMap((entry): TranscriptEnd[] => {
      const part = asFields(entry)
      if (asText(part.text)?.startsWith('[Request interrupted by user')) return [{ call: null, failed: true, at }]
      const call = part.type === 'tool_result' ? asText(part.tool_use_id) : null
      // A result with a background task id is only the first reply; the work continues.
      if (call === null || asText(asFields(record.toolUseResult).backgroundTaskId)) return []
      return [{ call, failed: part.is_error === true, at }]
    })
  },
  codex: (record) => {
    const payload = asFields(record.payload)
    const at = parseTime(record.timestamp)
    if (record.type !== 'event_msg' || at === null) return []
    if (payload.type === 'turn_aborted') return [{ call: null, failed: true, at }]
    const item = asFields(payload.item)
    const call = payload.type === 'item_completed' && item.type === 'CommandExecution' ? asText(item.id) : null
    return call ? [{ call, failed: item.status === 'failed', at }] : []
  },
  'qwen-code': (record) => {
    const at = parseTime(record.timestamp)
    const result = asFields(record.toolCallResult)
    const call = record.type === 'tool_result' ? asText(result.callId) : null
    if (!call || at === null) return []
    // Qwen Code's only trace of an Esc is the cancelled call; the Esc ends the turn as well.
    const cancelled = result.status === 'cancelled'
    return [
      { call, failed: cancelled || result.status === 'error', at },
      ...(cancelled ? [{ call: null, failed: true, at }] : [])
    ]
  },
  'gemini-cli': (record) => {
    const at = parseTime(record.timestamp)
    const cancelled = record.type === 'info' && record.content === 'Request cancelled.'
    return cancelled && at !== null ? [{ call: null, failed: true, at }] : []
  }
}

/** Message readers for transcripts that are one JSON document. */
export const DOCUMENT_READERS: Readonly<Partial<Record<AgentId, DocumentReader>>> = {
  cline: (document) =>
    asList(document.messages).flatMap((entry) => {
      const message = asFields(entry)
      const role = message.role === 'user' ? 'user' : message.role === 'assistant' ? 'assistant' : null
      const text = joinText(message.content).replace(/^<user_input[^>]*>([\s\S]*)<\/user_input>$/, '$1')
      const found = role && createMessage(message.id, role, text, typeof message.ts === 'number' ? message.ts : null)
      return found ? [found] : []
    })
}

/** Text that agents insert as user messages: notes on interrupts, context blocks, slash commands. */
const INSERTED_BY_AGENT = /^(?:<[a-z]+[-_][a-z_-]+[>\s]|\[Request interrupted by user)/

function createMessage(source: unknown, role: Role, text: string, at: number | null): TranscriptMessage | null {
  const id = asText(source)
  const trimmed = text.trim()
  if (!id || trimmed === '' || (role === 'user' && INSERTED_BY_AGENT.test(trimmed))) return null
  return { source: id, role, text: trimmed, at }
}

/** A string as it is, or the joined text parts of a list, without tool calls, results and thinking. */
function joinText(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .flatMap((entry) => {
      const part = asFields(entry)
      const kind = typeof part.type === 'string' ? part.type.toLowerCase() : 'text'
      const isText = kind === 'text' || kind === 'input_text' || kind === 'output_text'
      return isText && part.thought !== true ? (asText(part.text) ?? []) : []
    })
    .join('\n')
}

function parseTime(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}
