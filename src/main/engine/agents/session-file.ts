/** An agent's own file of a session, line by line: whether a message is in it, and where. */
import { closeSync, fstatSync } from 'node:fs'
import { isTold, type MessageRow } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { folderOf, openBelow, slice, transcriptFile } from './agent-files.ts'
import { type AgentId, recordOf } from './event.ts'
import { DOCUMENT_READERS, LINE_READERS } from './transcript-records.ts'

/** A longer session is not cut. */
const MOST = 256 * 1024 * 1024

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

/** [Security] Null for anything but a regular file of this person below the agent's folder. */
export function readSessionFile(recorder: Recorder, session: SessionRow): SessionFile | null {
  const folder = folderOf(recorder.root, session.agent, recorder.home, session.home)
  const file = folder ? transcriptFile(session, folder) : null
  const descriptor = folder && file ? openBelow(folder, file) : null
  if (!folder || !file || descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    if (size > MOST) return null
    const text = slice(descriptor, 0, size).toString('utf8')
    if (session.agent in DOCUMENT_READERS) return { folder, file, lines: [text] }
    // What follows the last line break is still being written.
    return {
      folder,
      file,
      lines: text
        .slice(0, text.lastIndexOf('\n') + 1)
        .split('\n')
        .slice(0, -1)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Index of the line that says this message, -1 when it is not there. */
export function lineOf(agent: string, { lines }: SessionFile, message: MessageRow): number {
  const document = DOCUMENT_READERS[agent as AgentId]
  const read = LINE_READERS[agent as AgentId]
  if (document) return document(recordOf(lines[0] ?? '')).some((one) => isSame(one, message)) ? 0 : -1
  if (!read) return -1
  // The id, or the words as JSON has them: only lines that hold them are worth parsing.
  const mark = isTold(message) ? JSON.stringify(message.text).slice(1, -1).slice(0, 40) : message.source
  return lines.findLastIndex((line) => {
    if (!line.includes(mark)) return false
    const found = read(recordOf(line))
    return found !== null && isSame(found, message)
  })
}

function isSame(found: { source: string; role: string; text: string }, message: MessageRow): boolean {
  return isTold(message) ? found.role === message.role && found.text === message.text : found.source === message.source
}
