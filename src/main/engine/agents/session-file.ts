/** An agent's own file of a session, line by line: whether a message is in it, and where. */
import { isTold, type MessageRow } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { slice } from './agent-files.ts'
import { type AgentId, recordOf } from './event.ts'
import { placesOf, withPlace } from './session-places.ts'
import { DOCUMENT_READERS, LINE_READERS } from './transcript-records.ts'

export interface SessionFile {
  /** The agent's folder, and the file below it. */
  readonly folder: string
  readonly file: string
  /** Complete lines; one whole text for agents that write one document. */
  readonly lines: readonly string[]
}

/** Whether this agent writes down what was said where it can be read. */
export function keepsTranscript(agent: string): boolean {
  return agent in LINE_READERS || agent in DOCUMENT_READERS
}

/** [Security] Newest first; none for anything but regular files of this person below the agent's folder. */
export function readSessionFiles(recorder: Recorder, session: SessionRow): SessionFile[] {
  const files: SessionFile[] = []
  for (const place of placesOf(recorder, session)) {
    const lines = withPlace(place, (descriptor, bytes) => linesIn(descriptor, bytes, session.agent))
    if (!lines) break
    files.push({ folder: place.folder, file: place.file, lines })
  }
  return files
}

/** Complete lines of an open file; one whole text for agents that write one document. */
export function linesIn(descriptor: number, bytes: number, agent: string): string[] {
  const words = slice(descriptor, 0, bytes).toString('utf8')
  // What follows the last line break is still being written.
  return agent in DOCUMENT_READERS
    ? [words]
    : words
        .slice(0, words.lastIndexOf('\n') + 1)
        .split('\n')
        .slice(0, -1)
}

/** Index of the line that says this message, -1 when it is not there. */
export function lineOf(agent: string, { lines }: SessionFile, message: MessageRow): number {
  return indexIn(agent, lines, message)
}

/** The same in lines. */
export function indexIn(agent: string, lines: readonly string[], message: MessageRow): number {
  const mark = agent in DOCUMENT_READERS ? '' : markOf(message)
  return lines.findLastIndex((line) => line.includes(mark) && says(agent, line, message))
}

/** The id, or the words as JSON has them: only lines that hold them are worth parsing. */
export function markOf(message: MessageRow): string {
  if (!isTold(message)) return message.source
  // Half a pair of surrogates has no bytes of its own.
  return JSON.stringify(message.text)
    .slice(1, -1)
    .slice(0, 40)
    .replace(/[\ud800-\udbff]$/, '')
}

/** Whether a line, or a document, says this message. */
export function says(agent: string, line: string, message: MessageRow): boolean {
  const document = DOCUMENT_READERS[agent as AgentId]
  if (document) return document(recordOf(line)).some((one) => isSame(one, message))
  const found = LINE_READERS[agent as AgentId]?.(recordOf(line)) ?? null
  return found !== null && isSame(found, message)
}

function isSame(found: { source: string; role: string; text: string }, message: MessageRow): boolean {
  return isTold(message) ? found.role === message.role && found.text === message.text : found.source === message.source
}
