/** Reads an agent's session files as lines, and finds messages in them. */
import { isFromHook, type MessageRow } from '../store/messages.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { AgentId } from './agent-action.ts'
import { readSlice } from './agent-files.ts'
import type { AgentFilesContext } from './agent-workspace.ts'
import { parseRecord } from './payload.ts'
import { sessionFileRanges, withOpenRange } from './session-file-ranges.ts'
import { DOCUMENT_READERS, LINE_READERS } from './transcript-records.ts'

export interface SessionFile {
  /** The agent's folder, and a file below it. */
  readonly folder: string
  readonly file: string
  /** Complete lines; a single element for agents that write one JSON document. */
  readonly lines: readonly string[]
}

/** Whether this agent's transcripts can be read. */
export function hasReadableTranscript(agent: string): boolean {
  return agent in LINE_READERS || agent in DOCUMENT_READERS
}

/** The session's files, newest first. Stops at the first one that may not be read (session-file-ranges.ts). */
export function readSessionFiles(context: AgentFilesContext, session: SessionRow): SessionFile[] {
  const files: SessionFile[] = []
  for (const range of sessionFileRanges(context, session)) {
    const lines = withOpenRange(range, (descriptor, bytes) => readLines(descriptor, bytes, session.agent))
    if (!lines) break
    files.push({ folder: range.folder, file: range.file, lines })
  }
  return files
}

/** Complete lines of an open file; the whole text for agents that write one JSON document. */
export function readLines(descriptor: number, bytes: number, agent: string): string[] {
  const text = readSlice(descriptor, 0, bytes).toString('utf8')
  // The rest after the last line break is still being written.
  return agent in DOCUMENT_READERS
    ? [text]
    : text
        .slice(0, text.lastIndexOf('\n') + 1)
        .split('\n')
        .slice(0, -1)
}

/** Index of the line that holds this message; -1 when there is none. */
export function findMessageLine(agent: string, lines: readonly string[], message: MessageRow): number {
  const key = agent in DOCUMENT_READERS ? '' : searchKeyOf(message)
  return lines.findLastIndex((line) => line.includes(key) && containsMessage(agent, line, message))
}

/**
 * A substring of every line that can hold the message: its id, or the start of its text as JSON. Other lines need no
 * parsing.
 */
export function searchKeyOf(message: MessageRow): string {
  if (!isFromHook(message)) return message.source
  // A lone surrogate has no UTF-8 encoding.
  return JSON.stringify(message.text)
    .slice(1, -1)
    .slice(0, 40)
    .replace(/[\ud800-\udbff]$/, '')
}

/** Whether a line (or a document) holds this message. */
export function containsMessage(agent: string, line: string, message: MessageRow): boolean {
  const document = DOCUMENT_READERS[agent as AgentId]
  if (document) return document(parseRecord(line)).some((entry) => matchesMessage(entry, message))
  const found = LINE_READERS[agent as AgentId]?.(parseRecord(line)) ?? null
  return found !== null && matchesMessage(found, message)
}

function matchesMessage(found: { source: string; role: string; text: string }, message: MessageRow): boolean {
  return isFromHook(message)
    ? found.role === message.role && found.text === message.text
    : found.source === message.source
}
