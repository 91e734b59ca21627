/** Reads models and token counts from each agent's transcript records. */
import { asFields, asList, asText, type Fields } from './payload.ts'

export interface TranscriptUsage {
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
export interface StoredUsage {
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
