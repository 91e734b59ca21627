/** Which model spoke and what it took, as the records of each agent's transcript tell. */
import { type AgentId, type Fields, fields, list, text } from './event.ts'

export interface UsageThere {
  /** Names what is counted, so that a record which comes again counts once; null = the whole session so far. */
  readonly id: string | null
  readonly model: string | null
  /** Tokens; cached ones are part of the input. */
  readonly input: number
  readonly output: number
}

type Reader = (record: Fields) => UsageThere | null

/** Agents whose transcript is one JSON record per line. */
export const LINE_USAGE: Readonly<Partial<Record<AgentId, Reader>>> = {
  'claude-code': (record) => {
    const message = fields(record.message)
    const usage = fields(message.usage)
    if (record.type !== 'assistant') return null
    const input = sum(usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    return { id: text(message.id), model: text(message.model), input, output: sum(usage.output_tokens) }
  },
  codex: (record) => {
    const payload = fields(record.payload)
    if (record.type === 'turn_context') return { id: 'none', model: text(payload.model), input: 0, output: 0 }
    if (record.type !== 'event_msg' || payload.type !== 'token_count') return null
    const total = fields(fields(payload.info).total_token_usage)
    return { id: null, model: null, input: sum(total.input_tokens), output: sum(total.output_tokens) }
  },
  'gemini-cli': (record) => {
    if (record.type !== 'gemini') return null
    const { input, output, thoughts } = fields(record.tokens)
    return { id: text(record.id), model: text(record.model), input: sum(input), output: sum(output, thoughts) }
  },
  'qwen-code': (record) => {
    if (record.type !== 'assistant') return null
    const usage = fields(record.usageMetadata)
    return {
      id: text(record.uuid),
      model: text(record.model),
      input: sum(usage.promptTokenCount),
      output: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount)
    }
  }
}

/** Agents whose transcript is one document, read as a whole each time. */
export const DOCUMENT_USAGE: Readonly<Partial<Record<AgentId, Reader>>> = {
  cline: (document) => {
    const messages = list(document.messages).map(fields)
    const all = messages.map((message) => fields(message.metrics))
    return {
      id: null,
      model: text(fields(messages.findLast((message) => message.modelInfo)?.modelInfo).id),
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
const REMEMBERED = 50

export function usageOf(stored: string): StoredUsage {
  return stored === '' ? NONE : (JSON.parse(stored) as StoredUsage)
}

/** Adds what new records tell; of records with one id the last counts. */
export function addUsage(before: StoredUsage, told: readonly UsageThere[]): StoredUsage {
  const total = told.findLast((one) => one.id === null)
  if (total) return { input: total.input, output: total.output, counted: [] }
  const byId = new Map(told.flatMap((one) => (one.id === null ? [] : [[one.id, one] as const])))
  const fresh = [...byId.values()].filter((one) => !before.counted.includes(one.id as string))
  return {
    input: fresh.reduce((all, one) => all + one.input, before.input),
    output: fresh.reduce((all, one) => all + one.output, before.output),
    counted: [...before.counted, ...fresh.map((one) => one.id as string)].slice(-REMEMBERED)
  }
}
