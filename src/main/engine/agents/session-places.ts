/** [Security] Where an agent's own files of a session are: regular files of this person below the agent's folder, never through links. */
import { closeSync, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { folderOf, isFolderBelow, openBelow, slice, transcriptFile } from './agent-files.ts'
import { fields, recordOf, text } from './event.ts'

/** A longer session is not cut. */
const MOST = 256 * 1024 * 1024

export interface Place {
  readonly folder: string
  readonly file: string
  /** How much of it is the session's. */
  readonly bytes: number
}

const MOST_FILES = 50

/** Newest first. Going back inside Codex begins another file that stands on a part of the one before. */
export function* placesOf(recorder: Recorder, session: SessionRow): Generator<Place> {
  const folder = folderOf(recorder.root, session.agent, recorder.home, session.home)
  const newest = folder ? transcriptFile(session, folder) : null
  let next = folder && newest ? { folder, file: newest, bytes: MOST } : null
  for (let n = 0; next && n < MOST_FILES; n++) {
    yield next
    next = session.agent === 'codex' ? codexBase(next) : null
  }
}

/** `use` gets a descriptor and how many bytes count; null when the file is not to be read. */
export function withPlace<T>({ folder, file, bytes }: Place, use: (descriptor: number, bytes: number) => T): T | null {
  const descriptor = openBelow(folder, file)
  if (descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    return size > MOST ? null : use(descriptor, Math.min(size, bytes))
  } finally {
    closeSync(descriptor)
  }
}

/** Its first line holds all its instructions. */
const FIRST_LINE = 1024 * 1024

/** The file a Codex session stands on and how many of its bytes; named by the last id in the file's name. */
function codexBase(place: Place): Place | null {
  const { folder } = place
  const head = withPlace(place, (descriptor) => slice(descriptor, 0, FIRST_LINE).toString('utf8'))
  const base = fields(fields(recordOf(head?.split('\n', 1)[0] ?? '').payload).history_base)
  const [id, bytes] = [text(base.thread_id), base.end_byte_offset]
  const sessions = join(folder, 'sessions')
  if (!id || typeof bytes !== 'number' || !isFolderBelow(folder, sessions)) return null
  const file = (readdirSync(sessions, { recursive: true }) as string[]).find(
    (name) => name.endsWith(`-${id}.jsonl`) || name.endsWith(`_${id}.jsonl`)
  )
  return file ? { folder, file: join(sessions, file), bytes } : null
}
