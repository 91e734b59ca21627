/** Opens the transcript of a session, and parses its lines. */
import { closeSync, fstatSync } from 'node:fs'
import type { SessionRow } from '../store/sessions.ts'
import { agentFolder, openOwnedFile, transcriptFile } from './agent-files.ts'
import type { AgentFilesContext } from './agent-workspace.ts'
import { asFields, type Fields } from './payload.ts'
import { truncateTexts } from './truncate-texts.ts'
import type { UnknownRecord } from './unknown-records.ts'

/** Bytes read at a time; the rest is read at the next event. */
export const MAX_READ_BYTES = 8 * 1024 * 1024

export const LINE_FEED = 0x0a

/** Calls `use` with the open transcript and its size, bytes. Null when the session has none that may be read. */
export function withTranscript<T>(
  { root, home }: AgentFilesContext,
  session: SessionRow,
  use: (descriptor: number, size: number) => T
): T | null {
  const folder = agentFolder(root, session.agent, home, session.home)
  const file = folder ? transcriptFile(session, folder) : null
  const descriptor = folder && file ? openOwnedFile(folder, file) : null
  if (descriptor === null) return null
  try {
    return use(descriptor, fstatSync(descriptor).size)
  } finally {
    closeSync(descriptor)
  }
}

export interface TranscriptLine extends UnknownRecord {
  readonly record: Fields
}

/** Parses the complete lines that hold JSON; `from` is the file offset of the first. */
export function parseLines(bytes: Buffer, from: number): TranscriptLine[] {
  const lines: TranscriptLine[] = []
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    const text = truncateTexts(bytes.subarray(start, end)).toString('utf8')
    const record = text === '' ? null : parseJson(text)
    if (record !== null) lines.push({ at: from + start, text, record: asFields(record) })
    start = end + 1
  }
  return lines
}

/** The parsed value; null when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // SyntaxError: an unfinished line, or not JSON.
    return null
  }
}
