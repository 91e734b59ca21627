/** The common form of a request to a model and of its reply, independent of the protocol. */
import type { ServerResponse } from 'node:http'

export type Fields = Readonly<Record<string, unknown>>
export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export interface ToolCall {
  readonly name: string
  /** Codex's namespace of an MCP server's tools; Codex lists them only when the model searches for them. */
  readonly namespace?: string
  readonly input: unknown
  /** An OpenAI custom tool, which takes plain text. */
  readonly custom?: true
}

export interface Reply {
  readonly text: string
  readonly call: ToolCall | null
}

export interface RequestMessage {
  readonly from: 'user' | 'model' | 'tool'
  readonly text: string
}

/** The messages of a request, in order, and the tools the model may call. */
export interface ModelRequest {
  readonly messages: readonly RequestMessage[]
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
