/**
 * Readers for untrusted JSON from agents: hook payloads and transcript records. They never throw; a value of an
 * unexpected type reads as empty, so that a new version of an agent costs a detail, not the event.
 */
import type { Todo } from '../../../contract/conversation.ts'
import type { AgentAction, CommandExit, CommandOutput, FileText } from './agent-action.ts'
import { isTruncated } from './truncate-texts.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The value if it is a JSON object, else an empty object. */
export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The value if it is a non-empty string, else null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The value if it is an array, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Parses one JSON object; an empty object when the line is not JSON. */
export function parseRecord(line: string): Fields {
  try {
    return asFields(JSON.parse(line))
  } catch {
    // SyntaxError: not JSON.
    return {}
  }
}

/** The plan that a tool shows to the user, if its input has one. */
export function planActions(value: unknown): AgentAction[] {
  const plan = asText(value)
  return plan ? [{ kind: 'plan', text: plan }] : []
}

/** The content a file had before a tool changed it, from the tool's reply; null for a file it created. */
export function readOriginal(path: unknown, content: unknown): FileText | null {
  const [name, text] = [asText(path), asText(content)]
  // A truncated text is no file's content.
  return name && text && !isTruncated(text) ? { path: name, text } : null
}

/** A command's output, from the fields of the tool's reply that may hold it; null when all are empty. */
export function readOutput(command: unknown, ...texts: readonly unknown[]): CommandOutput | null {
  const text = texts.flatMap((value) => asText(value) ?? []).join('\n')
  const commands = [command].flat().flatMap((value) => asText(value) ?? [])
  return text === '' ? null : { command: commands.join('\n'), text }
}

/** A command with its exit code; null when either is not known. */
export function readExit(command: unknown, code: unknown): CommandExit | null {
  const text = asText(command)
  return text !== null && !isTruncated(text) && typeof code === 'number' ? { command: text, code } : null
}

/** Todos in any of the shapes agents use. */
export function readTodos(value: unknown): Todo[] {
  return asList(value).flatMap((entry) => {
    const item = asFields(entry)
    const text = asText(item.content) ?? asText(item.description) ?? asText(item.subject) ?? asText(item.text)
    return text ? [{ text, status: readTodoStatus(item.status) }] : []
  })
}

export function readTodoStatus(value: unknown): Todo['status'] {
  return value === 'in_progress' || value === 'completed' ? value : 'pending'
}
