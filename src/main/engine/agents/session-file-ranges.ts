/**
 * [Security] Locates the files of an agent's session: only regular files of this user below the agent's folder, never
 * through links. A session may continue another file from a byte offset, hence ranges.
 */
import { closeSync, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionRow } from '../store/sessions.ts'
import { agentFolder, isOwnedFolder, openOwnedFile, readSlice, transcriptFile } from './agent-files.ts'
import type { AgentFilesContext } from './agent-workspace.ts'
import { asFields, asText, parseRecord } from './payload.ts'

/** Longer session files are not read, bytes. */
const MAX_SESSION_BYTES = 256 * 1024 * 1024

export interface FileRange {
  readonly folder: string
  readonly file: string
  /** Length of the part that belongs to the session, from the start of the file. */
  readonly bytes: number
}

/** Bounds the chain of Codex files, against cycles. */
const MAX_FILES = 50

/** Newest first. After a rewind, Codex starts a file that builds on a part of the one before. */
export function* sessionFileRanges(context: AgentFilesContext, session: SessionRow): Generator<FileRange> {
  const folder = agentFolder(context.root, session.agent, context.home, session.home)
  const newest = folder ? transcriptFile(session, folder) : null
  let next = folder && newest ? { folder, file: newest, bytes: MAX_SESSION_BYTES } : null
  for (let n = 0; next && n < MAX_FILES; n++) {
    yield next
    next = session.agent === 'codex' ? findCodexBase(next) : null
  }
}

/**
 * Calls `use` with an open descriptor and the number of bytes that count. Null when the file may not be read or is
 * too long.
 */
export function withOpenRange<T>(
  { folder, file, bytes }: FileRange,
  use: (descriptor: number, bytes: number) => T
): T | null {
  const descriptor = openOwnedFile(folder, file)
  if (descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    return size > MAX_SESSION_BYTES ? null : use(descriptor, Math.min(size, bytes))
  } finally {
    closeSync(descriptor)
  }
}

/** Codex's first line contains its full instructions, bytes. */
const MAX_FIRST_LINE = 1024 * 1024

/** The file that a Codex session builds on, and how many of its bytes. File names end with the session's id. */
function findCodexBase(range: FileRange): FileRange | null {
  const { folder } = range
  const head = withOpenRange(range, (descriptor) => readSlice(descriptor, 0, MAX_FIRST_LINE).toString('utf8'))
  const base = asFields(asFields(parseRecord(head?.split('\n', 1)[0] ?? '').payload).history_base)
  const [id, bytes] = [asText(base.thread_id), base.end_byte_offset]
  const sessions = join(folder, 'sessions')
  if (!id || typeof bytes !== 'number' || !isOwnedFolder(folder, sessions)) return null
  const file = (readdirSync(sessions, { recursive: true }) as string[]).find(
    (name) => name.endsWith(`-${id}.jsonl`) || name.endsWith(`_${id}.jsonl`)
  )
  return file ? { folder, file: join(sessions, file), bytes } : null
}
