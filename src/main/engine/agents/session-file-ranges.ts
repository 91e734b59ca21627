/** [Security] Where an agent's own files of a session are: regular files of this person below the agent's folder, never through links. */
import { closeSync, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { agentFolder, isOwnedFolder, openOwnedFile, readSlice, transcriptFile } from './agent-files.ts'
import { asFields, asText, parseRecord } from './payload.ts'

/** A longer session is not cut. */
const MAX_SESSION_BYTES = 256 * 1024 * 1024

export interface FileRange {
  readonly folder: string
  readonly file: string
  /** How much of it is the session's. */
  readonly bytes: number
}

const MAX_FILES = 50

/** Newest first. Going back inside Codex begins another file that stands on a part of the one before. */
export function* sessionFileRanges(recorder: Recorder, session: SessionRow): Generator<FileRange> {
  const folder = agentFolder(recorder.root, session.agent, recorder.home, session.home)
  const newest = folder ? transcriptFile(session, folder) : null
  let next = folder && newest ? { folder, file: newest, bytes: MAX_SESSION_BYTES } : null
  for (let n = 0; next && n < MAX_FILES; n++) {
    yield next
    next = session.agent === 'codex' ? findCodexBase(next) : null
  }
}

/** `use` gets a descriptor and how many bytes count; null when the file is not to be read. */
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

/** Its first line holds all its instructions. */
const MAX_FIRST_LINE = 1024 * 1024

/** The file a Codex session stands on and how many of its bytes; named by the last id in the file's name. */
function findCodexBase(place: FileRange): FileRange | null {
  const { folder } = place
  const head = withOpenRange(place, (descriptor) => readSlice(descriptor, 0, MAX_FIRST_LINE).toString('utf8'))
  const base = asFields(asFields(parseRecord(head?.split('\n', 1)[0] ?? '').payload).history_base)
  const [id, bytes] = [asText(base.thread_id), base.end_byte_offset]
  const sessions = join(folder, 'sessions')
  if (!id || typeof bytes !== 'number' || !isOwnedFolder(folder, sessions)) return null
  const file = (readdirSync(sessions, { recursive: true }) as string[]).find(
    (name) => name.endsWith(`-${id}.jsonl`) || name.endsWith(`_${id}.jsonl`)
  )
  return file ? { folder, file: join(sessions, file), bytes } : null
}
