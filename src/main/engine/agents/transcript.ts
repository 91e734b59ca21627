/** Reads what is new in an agent's transcript, and only in a file of this person below the agent's own folder, never through links. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { write } from '../db/transaction.ts'
import { isAbsence, isUnreadable } from '../ports/fs-errors.ts'
import { nameTurn } from '../sessions/hooked-runs.ts'
import { addMessage } from '../sessions/messages.ts'
import { findSession, type SessionRow, updateSession } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { fields, isAgent } from './event.ts'
import { DOCUMENT_READERS, LINE_READERS, type SaidThere } from './transcript-records.ts'

/** Bytes read at once; what is left is read at the next event. */
const MOST = 8 * 1024 * 1024

/** Folders below which each agent keeps its transcripts. */
const FOLDERS: Readonly<Record<string, string>> = {
  'claude-code': '.claude',
  codex: '.codex',
  'gemini-cli': '.gemini',
  'qwen-code': '.qwen',
  cline: '.cline'
}

/** Appends new messages to the session. `agentHome` is where the agent says its folder is. Never fails for what is on disk. */
export function readTranscript(recorder: Recorder, id: string, home: string, agentHome?: string): void {
  const session = findSession(recorder.store, id)
  if (!session || !isAgent(session.agent)) return
  const folder = folderOf(recorder.root, session.agent, home, agentHome)
  const file = session.transcript ?? (session.agent === 'cline' && folder ? clineFile(folder, id) : null)
  if (!folder || !file) return
  const read = readNew(folder, file, session)
  if (!read) return
  write(recorder.store.db, () => {
    for (const one of read.said) {
      addMessage(recorder.store, id, { ...one, turn: session.turn, at: one.at ?? recorder.now() })
      if (one.role === 'user') nameTurn(recorder, session, one.text)
    }
    updateSession(recorder.store, id, { transcript_at: read.upTo })
  })
}

function folderOf(root: string, agent: string, home: string, agentHome: string | undefined): string | null {
  const usual = FOLDERS[agent]
  if (!usual) return null
  // A project must not be able to name a folder of its own.
  if (agentHome && isAbsolute(agentHome) && isOutside(root, agentHome)) return agentHome
  return join(home, usual)
}

function clineFile(folder: string, id: string): string {
  return join(folder, 'data', 'sessions', id, `${id}.messages.json`)
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

function readNew(
  folder: string,
  file: string,
  session: SessionRow
): { readonly said: SaidThere[]; readonly upTo: number } | null {
  const descriptor = openSafely(folder, file)
  if (descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    const agent = session.agent as keyof typeof LINE_READERS
    const asDocument = DOCUMENT_READERS[agent]
    if (asDocument) {
      if (size === session.transcript_at || size > MOST) return null
      const value = parse(slice(descriptor, 0, size).toString('utf8'))
      return value === null ? null : { said: asDocument(fields(value)), upTo: size }
    }
    const reader = LINE_READERS[agent]
    if (!reader) return null
    // A shorter file is another one: what was read of it is known by its ids.
    const from = size < session.transcript_at ? 0 : session.transcript_at
    const bytes = slice(descriptor, from, Math.min(MOST, size - from))
    const end = bytes.lastIndexOf(10) + 1
    if (end === 0) return bytes.length === MOST ? { said: [], upTo: from + MOST } : null
    const said = bytes
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const record = line === '' ? null : parse(line)
        const found = record === null ? null : reader(fields(record))
        return found ? [found] : []
      })
    return { said, upTo: from + end }
  } finally {
    closeSync(descriptor)
  }
}

/** [Security] A regular file of this person, below the folder, with no link on the way; null for anything else. */
function openSafely(folder: string, file: string): number | null {
  if (!isAbsolute(file) || isOutside(folder, file)) return null
  let descriptor: number | null = null
  try {
    if (realpathSync.native(file) !== join(realpathSync.native(folder), relative(folder, file))) return null
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(descriptor)
    if (stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid())) return descriptor
    closeSync(descriptor)
    return null
  } catch (error) {
    if (isAbsence(error) || isUnreadable(error)) return null
    throw error
  }
}

function slice(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let got = 0
  while (got < length) {
    const more = readSync(descriptor, bytes, got, length - got, from + got)
    if (more === 0) break
    got += more
  }
  return bytes.subarray(0, got)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // SyntaxError: a line still being written, or no JSON at all.
    return null
  }
}
