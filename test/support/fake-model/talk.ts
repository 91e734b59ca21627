/** A request to a model and its answer in one shape, whatever protocol they came in. */
import type { ServerResponse } from 'node:http'

export type Fields = Readonly<Record<string, unknown>>
export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export interface Call {
  readonly name: string
  /** Where Codex keeps a server's tools, which it does not offer until they are asked for. */
  readonly namespace?: string
  readonly input: unknown
  /** A tool of OpenAI's that takes plain text. */
  readonly custom?: true
}

export interface Answer {
  readonly text: string
  readonly call: Call | null
}

export interface Said {
  readonly by: 'person' | 'model' | 'tool'
  readonly text: string
}

/** What was said to the model, in order, and the tools it may call. */
export interface Talk {
  readonly said: readonly Said[]
  readonly tools: readonly string[]
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

export function stream(response: ServerResponse): (type: string, value: Fields) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let n = 0
  return (type, value) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n++, ...value })}\n\n`)
  }
}
