/** An agent's own file of a session, line by line: whether a message is in it, and where. */
import { closeSync, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isTold, type MessageRow } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { folderOf, isFolderBelow, openBelow, slice, transcriptFile } from './agent-files.ts'
import { type AgentId, fields, recordOf, text } from './event.ts'
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

/**
 * [Security] Newest first; none for anything but regular files of this person below the agent's folder. Going back inside
 * Codex begins another file that stands on a part of the one before.
 */
export function readSessionFiles(recorder: Recorder, session: SessionRow): SessionFile[] {
  const folder = folderOf(recorder.root, session.agent, recorder.home, session.home)
  const newest = folder ? transcriptFile(session, folder) : null
  const files: SessionFile[] = []
  let next = folder && newest ? { file: newest, bytes: MOST } : null
  while (folder && next && files.length < MOST_FILES) {
    const lines = readLines(folder, next.file, next.bytes, session.agent in DOCUMENT_READERS)
    if (!lines) break
    files.push({ folder, file: next.file, lines })
    next = session.agent === 'codex' ? codexBase(folder, lines[0] ?? '') : null
  }
  return files
}

const MOST_FILES = 50

function readLines(folder: string, file: string, bytes: number, whole: boolean): string[] | null {
  const descriptor = openBelow(folder, file)
  if (descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    if (size > MOST) return null
    const words = slice(descriptor, 0, Math.min(size, bytes)).toString('utf8')
    // What follows the last line break is still being written.
    return whole
      ? [words]
      : words
          .slice(0, words.lastIndexOf('\n') + 1)
          .split('\n')
          .slice(0, -1)
  } finally {
    closeSync(descriptor)
  }
}

/** The file a Codex session stands on and how many of its bytes; named by the last id in the file's name. */
function codexBase(folder: string, first: string): { file: string; bytes: number } | null {
  const base = fields(fields(recordOf(first).payload).history_base)
  const [id, bytes] = [text(base.thread_id), base.end_byte_offset]
  const sessions = join(folder, 'sessions')
  if (!id || typeof bytes !== 'number' || !isFolderBelow(folder, sessions)) return null
  const file = (readdirSync(sessions, { recursive: true }) as string[]).find(
    (name) => name.endsWith(`-${id}.jsonl`) || name.endsWith(`_${id}.jsonl`)
  )
  return file ? { file: join(sessions, file), bytes } : null
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
