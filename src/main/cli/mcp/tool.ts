/** The shape of an MCP tool, and its answers in the protocol. */
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { type DriftlineError, type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { McpSession } from './session.ts'

interface ToolShape<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** Text for the model. */
  readonly description: string
  readonly hints: ToolAnnotations
  /** Strict: a key that is not known may be a mistyped option, such as one that limits a call. */
  readonly input: I
  readonly output: O
  /** Returns readable text and the structured answer. Throws DriftlineError. */
  readonly answer: (
    session: McpSession,
    args: z.infer<I>,
    call: string | null
  ) => Promise<{ readonly text: string; readonly data: z.infer<O> }>
}

export type Tool = ToolShape<z.ZodObject, z.ZodObject>

/** Infers argument and answer types from the schemas, then erases them: all tools share one table. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(shape: ToolShape<I, O>): Tool {
  return shape as unknown as Tool
}

export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** Adds without overwriting or deleting. */
export const ADDITIVE: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
/** Overwrites or deletes; repeating it has no further effect. */
export const DESTRUCTIVE: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false
}

/** A refusal as an answer: the sentence is for the model, the code and data are for programs. */
export function refusalOf(error: unknown): CallToolResult {
  const { code, message, data }: ErrorShape = toErrorShape(error as DriftlineError)
  const { stack: _, ...rest } = data
  return { content: [{ type: 'text', text: message }], isError: true, _meta: { 'driftline/error': { code, ...rest } } }
}
