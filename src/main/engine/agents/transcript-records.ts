/**
 * Readers for the transcript records of each agent: messages (text only) and ends of work. Unknown records read as
 * nothing.
 */
import type { Role } from '../store/messages.ts'
import { asFields, asList, asText, type Fields } from './payload.ts'

export interface TranscriptMessage {
  /** The record's own id: a message that is read again is recognised by it. */
  readonly source: string
  readonly role: Role
  readonly text: string
  /** ms UTC; null when the record has no time. */
  readonly at: number | null
}

type Reader<T> = (record: Fields) => readonly T[]

/** Whether an agent's transcript is one JSON document, its only record. Others have one JSON record per line. */
export function writesDocument(agent: string): boolean {
  return agent === 'cline'
}

/** Readers of messages. Absent: agents without a transcript that can be read. */
export const MESSAGE_READERS: Readonly<Record<string, Reader<TranscriptMessage>>> = {
  'claude-code': (record) => {
    if (record.isSidechain === true || record.isMeta === true || record.isCompactSummary === true) return []
    const role = record.type === 'user' || record.type === 'assistant' ? record.type : null
    return readMessage(record.uuid, role, asFields(record.message).content, record.timestamp)
  },
  codex: (record) => {
    const payload = asFields(record.payload)
    if (record.type !== 'event_msg' || payload.type !== 'item_completed') return []
    const item = asFields(payload.item)
    return readMessage(item.id, roleOf(item.type, 'UserMessage', 'AgentMessage'), item.content, record.timestamp)
  },
  'gemini-cli': (record) =>
    readMessage(record.id, roleOf(record.type, 'user', 'gemini'), record.content, record.timestamp),
  'qwen-code': (record) => {
    const role = record.provenance === 'real_user' ? 'user' : record.type === 'assistant' ? 'assistant' : null
    return readMessage(record.uuid, role, asFields(record.message).parts, record.timestamp)
  },
  cline: (document) =>
    asList(document.messages)
      .map(asFields)
      .flatMap(({ id, role, content, ts }) => {
        const text = joinText(content).replace(/^<user_input[^>]*>([\s\S]*)<\/user_input>$/, '$1')
        return readMessage(id, roleOf(role, 'user', 'assistant'), text, ts)
      })
}

/** The end of one tool call, or (`call` null) of all work, because the user interrupted the agent. */
export interface TranscriptEnd {
  readonly call: string | null
  readonly failed: boolean
  readonly at: number
}

/** Only for agents whose hooks omit ends, and whose records use the same call ids as their hooks. */
export const END_READERS: Readonly<Record<string, Reader<TranscriptEnd>>> = {
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

function roleOf(kind: unknown, user: string, assistant: string): Role | null {
  return kind === user ? 'user' : kind === assistant ? 'assistant' : null
}

/** Text that agents insert as user messages: notes on interrupts, context blocks, slash commands. */
const INSERTED_BY_AGENT = /^(?:<[a-z]+[-_][a-z_-]+[>\s]|\[Request interrupted by user)/

/** One message, or none when it has no id, no role or no text of its own. */
function readMessage(id: unknown, role: Role | null, content: unknown, time: unknown): TranscriptMessage[] {
  const source = asText(id)
  const text = joinText(content).trim()
  if (!source || !role || text === '' || (role === 'user' && INSERTED_BY_AGENT.test(text))) return []
  return [{ source, role, text, at: typeof time === 'number' ? time : parseTime(time) }]
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
