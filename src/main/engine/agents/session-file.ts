/** An agent's own file of a session, line by line: whether a message is in it, and where. */
import { isFromHook, type MessageRow } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { AgentId } from './agent-action.ts'
import { readSlice } from './agent-files.ts'
import { parseRecord } from './payload.ts'
import { sessionFileRanges, withOpenRange } from './session-file-ranges.ts'
import { DOCUMENT_READERS, LINE_READERS } from './transcript-records.ts'

export interface SessionFile {
  /** The agent's folder, and the file below it. */
  readonly folder: string
  readonly file: string
  /** Complete lines; one whole text for agents that write one document. */
  readonly lines: readonly string[]
}

/** Whether this agent writes down what was said where it can be read. */
export function hasReadableTranscript(agent: string): boolean {
  return agent in LINE_READERS || agent in DOCUMENT_READERS
}

/** [Security] Newest first; none for anything but regular files of this person below the agent's folder. */
export function readSessionFiles(recorder: Recorder, session: SessionRow): SessionFile[] {
  const files: SessionFile[] = []
  for (const place of sessionFileRanges(recorder, session)) {
    const lines = withOpenRange(place, (descriptor, bytes) => readLines(descriptor, bytes, session.agent))
    if (!lines) break
    files.push({ folder: place.folder, file: place.file, lines })
  }
  return files
}

/** Complete lines of an open file; one whole text for agents that write one document. */
export function readLines(descriptor: number, bytes: number, agent: string): string[] {
  const words = readSlice(descriptor, 0, bytes).toString('utf8')
  // What follows the last line break is still being written.
  return agent in DOCUMENT_READERS
    ? [words]
    : words
        .slice(0, words.lastIndexOf('\n') + 1)
        .split('\n')
        .slice(0, -1)
}

/** Index of the line that says this message, -1 when it is not there. */
export function findMessageLine(agent: string, { lines }: SessionFile, message: MessageRow): number {
  return findMessageIndex(agent, lines, message)
}

/** The same in lines. */
export function findMessageIndex(agent: string, lines: readonly string[], message: MessageRow): number {
  const mark = agent in DOCUMENT_READERS ? '' : searchKeyOf(message)
  return lines.findLastIndex((line) => line.includes(mark) && containsMessage(agent, line, message))
}

/** The id, or the words as JSON has them: only lines that hold them are worth parsing. */
export function searchKeyOf(message: MessageRow): string {
  if (!isFromHook(message)) return message.source
  // Half a pair of surrogates has no bytes of its own.
  return JSON.stringify(message.text)
    .slice(1, -1)
    .slice(0, 40)
    .replace(/[\ud800-\udbff]$/, '')
}

/** Whether a line, or a document, says this message. */
export function containsMessage(agent: string, line: string, message: MessageRow): boolean {
  const document = DOCUMENT_READERS[agent as AgentId]
  if (document) return document(parseRecord(line)).some((one) => matchesMessage(one, message))
  const found = LINE_READERS[agent as AgentId]?.(parseRecord(line)) ?? null
  return found !== null && matchesMessage(found, message)
}

function matchesMessage(found: { source: string; role: string; text: string }, message: MessageRow): boolean {
  return isFromHook(message)
    ? found.role === message.role && found.text === message.text
    : found.source === message.source
}
