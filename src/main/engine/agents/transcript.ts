/** Reads what is new in an agent's transcript. */
import { closeSync, fstatSync } from 'node:fs'
import { bumpRev, write } from '../db/transaction.ts'
import { nameTurn } from '../sessions/hooked-runs.ts'
import { addMessage } from '../sessions/messages.ts'
import { findSession, type SessionRow, updateSession } from '../sessions/sessions.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { folderOf, openBelow, slice, transcriptFile } from './agent-files.ts'
import { type AgentId, type Fields, fields, isAgent } from './event.ts'
import { followRewinds, type Links, linksIn } from './rewinds.ts'
import { shortened } from './shortened.ts'
import { DOCUMENT_READERS, END_READERS, type EndedThere, LINE_READERS, type SaidThere } from './transcript-records.ts'
import { addUsage, DOCUMENT_USAGE, LINE_USAGE, type UsageThere, usageOf } from './transcript-usage.ts'
import { isUnknown, keepUnknown, type UnknownRecord } from './unknown-records.ts'

/** Bytes read at once; what is left is read at the next event. */
const MOST = 8 * 1024 * 1024

/**
 * Appends new messages to the session. Never fails for what is on disk.
 * With `prompt`, the words of a prompt that is about to be recorded, only what was said before it is taken.
 */
export function readTranscript(recorder: Recorder, id: string, prompt?: string): void {
  const session = findSession(recorder.store, id)
  if (!session || !isAgent(session.agent)) return
  const folder = folderOf(recorder.root, session.agent, recorder.home, session.home)
  const file = folder ? transcriptFile(session, folder) : null
  if (!folder || !file) return
  const read = readNew(folder, file, session)
  if (!read) return
  const begin =
    prompt === undefined ? -1 : read.said.findLastIndex((one) => one.role === 'user' && one.text === prompt.trim())
  write(recorder.store.db, () => {
    for (const one of begin < 0 ? read.said : read.said.slice(0, begin)) {
      addMessage(recorder.store, id, { ...one, turn: session.turn, at: one.at ?? recorder.now() })
      if (one.role === 'user') nameTurn(recorder, session, one.text)
    }
    keepUnknown(recorder.store, id, read.unknown)
    // What begins with the prompt is read again when the prompt is recorded.
    if (begin < 0)
      updateSession(recorder.store, id, {
        transcript_at: read.upTo,
        leaf: read.links.leaf,
        ...usedBy(session, read.used)
      })
    bumpRev(recorder.store.db)
  })
  if (begin < 0) followRewinds(recorder, session, read.links.strays)
}

function usedBy(session: SessionRow, used: readonly UsageThere[]): { usage?: string; model?: string } {
  const model = used.findLast((one) => one.model !== null)?.model
  return {
    ...(used.length > 0 ? { usage: JSON.stringify(addUsage(usageOf(session.usage), used)) } : {}),
    ...(model ? { model } : {})
  }
}

/** Reads to the end of what is there. */
export function readWholeTranscript(recorder: Recorder, id: string): void {
  const upTo = (): number | undefined => findSession(recorder.store, id)?.transcript_at
  for (let before = Number.NaN; before !== upTo(); ) {
    before = upTo() ?? Number.NaN
    readTranscript(recorder, id)
  }
}

interface ReadNew {
  readonly said: SaidThere[]
  readonly used: UsageThere[]
  readonly unknown: readonly UnknownRecord[]
  readonly links: Links
  readonly upTo: number
}

const NO_LINKS: Links = { strays: [], leaf: null }

function readNew(folder: string, file: string, session: SessionRow): ReadNew | null {
  const descriptor = openBelow(folder, file)
  if (descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    const agent = session.agent as keyof typeof LINE_READERS
    const asDocument = DOCUMENT_READERS[agent]
    if (asDocument) {
      if (size === session.transcript_at || size > MOST) return null
      const value = parse(shortened(slice(descriptor, 0, size)).toString('utf8'))
      if (value === null) return null
      const used = DOCUMENT_USAGE[agent]?.(fields(value))
      return { said: asDocument(fields(value)), used: used ? [used] : [], unknown: [], links: NO_LINKS, upTo: size }
    }
    const reader = LINE_READERS[agent]
    if (!reader) return null
    // A shorter file is another one: what was read of it is known by its ids.
    const from = size < session.transcript_at ? 0 : session.transcript_at
    const bytes = slice(descriptor, from, Math.min(MOST, size - from))
    const end = bytes.lastIndexOf(10) + 1
    if (end === 0)
      return bytes.length === MOST ? { said: [], used: [], unknown: [], links: NO_LINKS, upTo: from + MOST } : null
    const lines = linesIn(bytes.subarray(0, end), from)
    const records = lines.map((line) => line.record)
    return {
      said: records.flatMap((record) => reader(record) ?? []),
      used: records.flatMap((record) => LINE_USAGE[agent]?.(record) ?? []),
      unknown: lines.filter(({ record }) => isUnknown(session.agent as AgentId, record)),
      links: linksIn(agent, records, from === 0 ? null : session.leaf, (record) => {
        const said = reader(record)
        return said?.role === 'user' ? said.source : null
      }),
      upTo: from + end
    }
  } finally {
    closeSync(descriptor)
  }
}

interface Looked {
  /** Bytes looked through, up to the end of a line. */
  readonly upTo: number
  readonly ends: readonly EndedThere[]
}

/** What each session's transcript was found to say of ends so far: only what is new in it is read. */
const LOOKED: WeakMap<Store, Map<string, Looked>> = new WeakMap()
/** Ends remembered of a session; older ones are of calls that were closed long ago. */
const REMEMBERED = 500

/** Ends of work, as far as they came after the messages were last read; nothing of it counts as read. */
export function endsInTranscript(recorder: Recorder, session: SessionRow): readonly EndedThere[] {
  const reader = isAgent(session.agent) ? END_READERS[session.agent] : undefined
  const folder = reader ? folderOf(recorder.root, session.agent, recorder.home, session.home) : null
  const file = folder ? transcriptFile(session, folder) : null
  const descriptor = folder && file ? openBelow(folder, file) : null
  if (!reader || descriptor === null) return []
  try {
    const { size } = fstatSync(descriptor)
    const looked = LOOKED.get(recorder.store) ?? new Map<string, Looked>()
    const known = looked.get(session.id)
    const before =
      known && known.upTo <= size
        ? known
        : { upTo: size < session.transcript_at ? 0 : session.transcript_at, ends: [] as EndedThere[] }
    if (before.upTo === size) return before.ends
    // Only its tail: an end is one of the last things in it.
    const from = Math.max(before.upTo, size - MOST)
    const bytes = slice(descriptor, from, size - from)
    const whole = bytes.lastIndexOf(10) + 1
    const found = linesIn(bytes.subarray(0, whole), from).flatMap(({ record }) => reader(record))
    const now = { upTo: from + whole, ends: [...before.ends, ...found].slice(-REMEMBERED) }
    LOOKED.set(recorder.store, looked.set(session.id, now))
    return now.ends
  } finally {
    closeSync(descriptor)
  }
}

interface Line extends UnknownRecord {
  readonly record: Fields
}

/** Lines that hold a record; `from`: where in the file the first begins. */
function linesIn(bytes: Buffer, from: number): Line[] {
  const lines: Line[] = []
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
    const text = shortened(bytes.subarray(start, end)).toString('utf8')
    const record = text === '' ? null : parse(text)
    if (record !== null) lines.push({ at: from + start, text, record: fields(record) })
  }
  return lines
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // SyntaxError: a line still being written, or no JSON at all.
    return null
  }
}
