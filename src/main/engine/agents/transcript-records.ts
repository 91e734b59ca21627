/**
 * Readers for the transcript records of each agent: messages (text only), ends of work, models and
 * token counts. Unknown records read as
 * nothing.
 */
import type { Role } from '../store/messages.ts'
import type { CommandExit } from './agent-action.ts'
import { asFields, asList, asText, type Fields, readExit } from './payload.ts'

interface TranscriptMessage {
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

/** The ends that a record reports; none when it has no time. */
export function readEnds(agent: string, record: Fields): TranscriptEnd[] {
  const at = parseTime(record.timestamp)
  const ends = END_READERS[agent]?.(record) ?? []
  return at === null ? [] : ends.map((end) => ({ ...end, at }))
}

type UntimedEnd = Omit<TranscriptEnd, 'at'>

const INTERRUPT: UntimedEnd = { call: null, failed: true }

/** Only for agents whose hooks omit ends, and whose records use the same call ids as their hooks. */
export const END_READERS: Readonly<Record<string, Reader<UntimedEnd>>> = {
  'claude-code': (record) => {
    if (record.isSidechain === true || record.type !== 'user') return []
    return asList(asFields(record.message).content).flatMap((entry): UntimedEnd[] => {
      const part = asFields(entry)
      if (asText(part.text)?.startsWith('[Request interrupted by user')) return [INTERRUPT]
      const call = part.type === 'tool_result' ? asText(part.tool_use_id) : null
      // A result with a background task id is only the first reply; the work continues.
      if (call === null || asText(asFields(record.toolUseResult).backgroundTaskId)) return []
      return [{ call, failed: part.is_error === true }]
    })
  },
  codex: (record) => {
    const payload = asFields(record.payload)
    if (record.type !== 'event_msg') return []
    if (payload.type === 'turn_aborted') return [INTERRUPT]
    const item = asFields(payload.item)
    const call = payload.type === 'item_completed' && item.type === 'CommandExecution' ? asText(item.id) : null
    return call ? [{ call, failed: item.status === 'failed' }] : []
  },
  'qwen-code': (record) => {
    const { callId, status } = asFields(record.toolCallResult)
    const call = record.type === 'tool_result' ? asText(callId) : null
    if (!call) return []
    // Qwen Code's only trace of an Esc is the cancelled call; the Esc ends the turn as well.
    if (status === 'cancelled') return [{ call, failed: true }, INTERRUPT]
    return [{ call, failed: status === 'error' }]
  },
  'gemini-cli': (record) => (record.type === 'info' && record.content === 'Request cancelled.' ? [INTERRUPT] : [])
}

/** How a command ended. */
export interface TranscriptExit extends CommandExit {
  readonly call: string
}

/** Only for agents whose hooks omit exit codes, and whose records use the same call ids as their hooks. */
export const EXIT_READERS: Readonly<Record<string, Reader<TranscriptExit>>> = {
  codex: (record) => {
    const payload = asFields(record.payload)
    const item = asFields(payload.item)
    if (record.type !== 'event_msg' || payload.type !== 'item_completed' || item.type !== 'CommandExecution') return []
    const call = asText(item.id)
    // A shell with its script.
    const exit = readExit(asList(item.command).at(-1), item.exit_code)
    return call && exit ? [{ call, ...exit }] : []
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

interface TranscriptUsage {
  /**
   * Id of the counted response, so that a repeated record counts once; null when the record holds the session's
   * total.
   */
  readonly id: string | null
  readonly model: string | null
  /** Tokens; the input includes cached tokens. */
  readonly input: number
  readonly output: number
}

/** Readers of usage; a reader returns null for a record without any. */
export const USAGE_READERS: Readonly<Record<string, (record: Fields) => TranscriptUsage | null>> = {
  'claude-code': (record) => {
    const message = asFields(record.message)
    const usage = asFields(message.usage)
    if (record.type !== 'assistant') return null
    const input = sum(usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    return { id: asText(message.id), model: asText(message.model), input, output: sum(usage.output_tokens) }
  },
  codex: (record) => {
    const payload = asFields(record.payload)
    if (record.type === 'turn_context') return { id: 'none', model: asText(payload.model), input: 0, output: 0 }
    if (record.type !== 'event_msg' || payload.type !== 'token_count') return null
    const total = asFields(asFields(payload.info).total_token_usage)
    return { id: null, model: null, input: sum(total.input_tokens), output: sum(total.output_tokens) }
  },
  'gemini-cli': (record) => {
    if (record.type !== 'gemini') return null
    const { input, output, thoughts } = asFields(record.tokens)
    return { id: asText(record.id), model: asText(record.model), input: sum(input), output: sum(output, thoughts) }
  },
  'qwen-code': (record) => {
    if (record.type !== 'assistant') return null
    const usage = asFields(record.usageMetadata)
    return {
      id: asText(record.uuid),
      model: asText(record.model),
      input: sum(usage.promptTokenCount),
      output: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount)
    }
  },
  cline: (document) => {
    const messages = asList(document.messages).map(asFields)
    const all = messages.map((message) => asFields(message.metrics))
    return {
      id: null,
      model: asText(asFields(messages.findLast((message) => message.modelInfo)?.modelInfo).id),
      input: sum(...all.flatMap((metrics) => [metrics.inputTokens, metrics.cacheReadTokens, metrics.cacheWriteTokens])),
      output: sum(...all.map((metrics) => metrics.outputTokens))
    }
  }
}

function sum(...values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + (typeof value === 'number' && value > 0 ? value : 0), 0)
}

/** A session's usage so far, as stored in its row (JSON). */
interface StoredUsage {
  readonly input: number
  readonly output: number
  /** The ids counted last, at most MAX_COUNTED_IDS. */
  readonly counted: readonly string[]
}

const NONE: StoredUsage = { input: 0, output: 0, counted: [] }
/** Agents repeat only recent records. */
const MAX_COUNTED_IDS = 50

export function parseUsage(stored: string): StoredUsage {
  return stored === '' ? NONE : (JSON.parse(stored) as StoredUsage)
}

/**
 * Adds the usage of new records to a session's stored one. Of records with the same id the last one counts; a total
 * replaces everything.
 */
export function addUsage(stored: string, records: readonly TranscriptUsage[]): string {
  if (records.length === 0) return stored
  const total = records.findLast((record) => record.id === null)
  if (total) return JSON.stringify({ input: total.input, output: total.output, counted: [] } satisfies StoredUsage)
  const before = parseUsage(stored)
  const byId = new Map(records.map((record) => [record.id ?? '', record]))
  for (const id of before.counted) byId.delete(id)
  const fresh = [...byId.values()]
  const usage: StoredUsage = {
    input: sum(before.input, ...fresh.map(({ input }) => input)),
    output: sum(before.output, ...fresh.map(({ output }) => output)),
    counted: [...before.counted, ...byId.keys()].slice(-MAX_COUNTED_IDS)
  }
  return JSON.stringify(usage)
}
