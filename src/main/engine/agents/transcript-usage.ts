/** Which model spoke and what it took, as the records of each agent's transcript tell. */
import type { AgentId } from './agent-action.ts'
import { asFields, asList, asText, type Fields } from './payload.ts'

export interface TranscriptUsage {
  /** Names what is counted, so that a record which comes again counts once; null = the whole session so far. */
  readonly id: string | null
  readonly model: string | null
  /** Tokens; cached ones are part of the input. */
  readonly input: number
  readonly output: number
}

type Reader = (record: Fields) => TranscriptUsage | null

/** Agents whose transcript is one JSON record per line. */
export const LINE_USAGE: Readonly<Partial<Record<AgentId, Reader>>> = {
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
  }
}

/** Agents whose transcript is one document, read as a whole each time. */
export const DOCUMENT_USAGE: Readonly<Partial<Record<AgentId, Reader>>> = {
  cline: (document) => {
    const messages = asList(document.messages).map(asFields)
    const all = messages.map((message) => asFields(message.metrics))
    return {
      id: null,
      model: asText(asFields(messages.findLast((message) => message.modelInfo)?.modelInfo).id),
      input: sum(...all.flatMap((one) => [one.inputTokens, one.cacheReadTokens, one.cacheWriteTokens])),
      output: sum(...all.map((one) => one.outputTokens))
    }
  }
}

function sum(...values: readonly unknown[]): number {
  return values.reduce<number>((total, one) => total + (typeof one === 'number' && one > 0 ? one : 0), 0)
}

/** What a session has used so far, as stored (JSON). */
export interface StoredUsage {
  readonly input: number
  readonly output: number
  /** Ids counted last. */
  readonly counted: readonly string[]
}

const NONE: StoredUsage = { input: 0, output: 0, counted: [] }
/** More records than an agent writes again. */
const MAX_COUNTED_IDS = 50

export function parseUsage(stored: string): StoredUsage {
  return stored === '' ? NONE : (JSON.parse(stored) as StoredUsage)
}

/** Adds what new records tell; of records with one id the last counts. */
export function addUsage(before: StoredUsage, told: readonly TranscriptUsage[]): StoredUsage {
  const total = told.findLast((one) => one.id === null)
  if (total) return { input: total.input, output: total.output, counted: [] }
  const byId = new Map(told.flatMap((one) => (one.id === null ? [] : [[one.id, one] as const])))
  const fresh = [...byId.values()].filter((one) => !before.counted.includes(one.id as string))
  return {
    input: fresh.reduce((all, one) => all + one.input, before.input),
    output: fresh.reduce((all, one) => all + one.output, before.output),
    counted: [...before.counted, ...fresh.map((one) => one.id as string)].slice(-MAX_COUNTED_IDS)
  }
}
