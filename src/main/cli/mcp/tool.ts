/** What a tool of the MCP server is, and what its answers look like on the wire. */
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { type DriftlineError, type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { McpSession } from './session.ts'

export interface ToolShape<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** What a model reads. */
  readonly description: string
  readonly hints: ToolAnnotations
  readonly input: I
  readonly output: O
  /** Readable text beside the structured answer. Throws DriftlineError. */
  readonly answer: (
    session: McpSession,
    args: z.infer<I>,
    call: string | null
  ) => Promise<{ readonly text: string; readonly data: z.infer<O> }>
}

export type Tool = ToolShape<z.ZodObject, z.ZodObject>

/** Types a tool's arguments and answer from its schemas, then forgets them so that tools fit into one table. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(shape: ToolShape<I, O>): Tool {
  return shape as unknown as Tool
}

/** Only looks. */
export const LOOKS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** Adds, and takes nothing away. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
/** Replaces or takes away; asked twice it does nothing more. */
export const REPLACES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false
}

export function replyOf(text: string, data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data }
}

/** A refusal is an answer a model reads; its code and reason are for programs. */
export function refusalOf(error: unknown): CallToolResult {
  const { code, message, data }: ErrorShape = toErrorShape(error as DriftlineError)
  const { stack: _, ...rest } = data
  return { content: [{ type: 'text', text: message }], isError: true, _meta: { 'driftline/error': { code, ...rest } } }
}
