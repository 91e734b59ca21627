/**
 * Imports what is new in an agent's transcript: messages, usage, unknown records, rewinds and ends of work. The
 * session's row stores the offset up to which the file was imported, so each byte is imported once.
 */
import { closeSync, fstatSync } from 'node:fs'
import { bumpRev, write } from '../db/transaction.ts'
import { fillInPrompt } from '../sessions/agent-runs.ts'
import { addMessage } from '../sessions/messages.ts'
import { findSession, type SessionRow, updateSession } from '../sessions/sessions.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { type AgentId, isAgent } from './agent-action.ts'
import { agentFolder, openOwnedFile, readSlice, transcriptFile } from './agent-files.ts'
import { asFields, type Fields } from './payload.ts'
import { applyRewinds, findRewinds, type RewindScan } from './rewinds.ts'
import {
  DOCUMENT_READERS,
  END_READERS,
  LINE_READERS,
  type TranscriptEnd,
  type TranscriptMessage
} from './transcript-records.ts'
import { addUsage, DOCUMENT_USAGE, LINE_USAGE, parseUsage, type TranscriptUsage } from './transcript-usage.ts'
import { truncateTexts } from './truncate-texts.ts'
import { isUnknownRecord, saveUnknownRecords, type UnknownRecord } from './unknown-records.ts'

/** Bytes read at a time; the rest is read at the next event. */
const MAX_READ_BYTES = 8 * 1024 * 1024

/**
 * Appends new messages to the session. Unreadable or malformed files are ignored. With `prompt`, the text of a prompt
 * that is about to be recorded, only messages before that prompt are imported: those after it belong to the next
 * turn.
 */
export function importTranscript(recorder: Recorder, id: string, prompt?: string): void {
  const session = findSession(recorder.store, id)
  if (!session || !isAgent(session.agent)) return
  const folder = agentFolder(recorder.root, session.agent, recorder.home, session.home)
  const file = folder ? transcriptFile(session, folder) : null
  if (!folder || !file) return
  const read = readNewRecords(folder, file, session)
  if (!read) return
  const promptAt =
    prompt === undefined
      ? -1
      : read.messages.findLastIndex((message) => message.role === 'user' && message.text === prompt.trim())
  write(recorder.store.db, () => {
    for (const message of promptAt < 0 ? read.messages : read.messages.slice(0, promptAt)) {
      addMessage(recorder.store, id, { ...message, turn: session.turn, at: message.at ?? recorder.now() })
      if (message.role === 'user') fillInPrompt(recorder, session, message.text)
    }
    saveUnknownRecords(recorder.store, id, read.unknown)
    // Do not move the offset: the rest is read again once the prompt is recorded.
    if (promptAt < 0)
      updateSession(recorder.store, id, {
        transcript_at: read.upTo,
        leaf: read.links.leaf,
        ...usageUpdate(session, read.usage)
      })
    bumpRev(recorder.store.db)
  })
  if (promptAt < 0) applyRewinds(recorder, session, read.links.rewound)
}

function usageUpdate(session: SessionRow, used: readonly TranscriptUsage[]): { usage?: string; model?: string } {
  const model = used.findLast((record) => record.model !== null)?.model
  return {
    ...(used.length > 0 ? { usage: JSON.stringify(addUsage(parseUsage(session.usage), used)) } : {}),
    ...(model ? { model } : {})
  }
}

/** Imports the transcript up to its end, in as many steps as it takes. */
export function importWholeTranscript(recorder: Recorder, id: string): void {
  const upTo = (): number | undefined => findSession(recorder.store, id)?.transcript_at
  for (let before = Number.NaN; before !== upTo(); ) {
    before = upTo() ?? Number.NaN
    importTranscript(recorder, id)
  }
}

interface NewRecords {
  readonly messages: TranscriptMessage[]
  readonly usage: TranscriptUsage[]
  readonly unknown: readonly UnknownRecord[]
  readonly links: RewindScan
  readonly upTo: number
}

const NO_REWINDS: RewindScan = { rewound: [], leaf: null }

function readNewRecords(folder: string, file: string, session: SessionRow): NewRecords | null {
  const descriptor = openOwnedFile(folder, file)
  if (descriptor === null) return null
  try {
    const { size } = fstatSync(descriptor)
    const agent = session.agent as keyof typeof LINE_READERS
    const asDocument = DOCUMENT_READERS[agent]
    if (asDocument) {
      if (size === session.transcript_at || size > MAX_READ_BYTES) return null
      const value = parse(truncateTexts(readSlice(descriptor, 0, size)).toString('utf8'))
      if (value === null) return null
      const used = DOCUMENT_USAGE[agent]?.(asFields(value))
      return {
        messages: asDocument(asFields(value)),
        usage: used ? [used] : [],
        unknown: [],
        links: NO_REWINDS,
        upTo: size
      }
    }
    const reader = LINE_READERS[agent]
    if (!reader) return null
    // A shorter file was rewritten: read it from the start. Messages imported before are recognised by their ids.
    const from = size < session.transcript_at ? 0 : session.transcript_at
    const bytes = readSlice(descriptor, from, Math.min(MAX_READ_BYTES, size - from))
    const end = bytes.lastIndexOf(10) + 1
    if (end === 0)
      return bytes.length === MAX_READ_BYTES
        ? { messages: [], usage: [], unknown: [], links: NO_REWINDS, upTo: from + MAX_READ_BYTES }
        : null
    const lines = parseLines(bytes.subarray(0, end), from)
    const records = lines.map((line) => line.record)
    return {
      messages: records.flatMap((record) => reader(record) ?? []),
      usage: records.flatMap((record) => LINE_USAGE[agent]?.(record) ?? []),
      unknown: lines.filter(({ record }) => isUnknownRecord(session.agent as AgentId, record)),
      links: findRewinds(agent, records, from === 0 ? null : session.leaf, (record) => {
        const said = reader(record)
        return said?.role === 'user' ? said.source : null
      }),
      upTo: from + end
    }
  } finally {
    closeSync(descriptor)
  }
}

interface EndScan {
  /** Bytes scanned, up to the end of a line. */
  readonly upTo: number
  readonly ends: readonly TranscriptEnd[]
}

/** Ends found so far in each session's transcript, so that only its new part is scanned. */
const END_SCANS: WeakMap<Store, Map<string, EndScan>> = new WeakMap()
/** Ends kept for each session; the calls of older ones were closed long ago. */
const MAX_ENDS = 500

/** Ends of work in the part of the transcript that has not been imported yet. Does not move the import offset. */
export function findTranscriptEnds(recorder: Recorder, session: SessionRow): readonly TranscriptEnd[] {
  const reader = isAgent(session.agent) ? END_READERS[session.agent] : undefined
  const folder = reader ? agentFolder(recorder.root, session.agent, recorder.home, session.home) : null
  const file = folder ? transcriptFile(session, folder) : null
  const descriptor = folder && file ? openOwnedFile(folder, file) : null
  if (!reader || descriptor === null) return []
  try {
    const { size } = fstatSync(descriptor)
    const scans = END_SCANS.get(recorder.store) ?? new Map<string, EndScan>()
    const known = scans.get(session.id)
    const before =
      known && known.upTo <= size
        ? known
        : { upTo: size < session.transcript_at ? 0 : session.transcript_at, ends: [] as TranscriptEnd[] }
    if (before.upTo === size) return before.ends
    // Only the tail is read: an end is among the last records.
    const from = Math.max(before.upTo, size - MAX_READ_BYTES)
    const bytes = readSlice(descriptor, from, size - from)
    const whole = bytes.lastIndexOf(10) + 1
    const found = parseLines(bytes.subarray(0, whole), from).flatMap(({ record }) => reader(record))
    const now = { upTo: from + whole, ends: [...before.ends, ...found].slice(-MAX_ENDS) }
    END_SCANS.set(recorder.store, scans.set(session.id, now))
    return now.ends
  } finally {
    closeSync(descriptor)
  }
}

interface Line extends UnknownRecord {
  readonly record: Fields
}

/** Parses the complete lines that hold JSON; `from` is the file offset of the first. */
function parseLines(bytes: Buffer, from: number): Line[] {
  const lines: Line[] = []
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
    const text = truncateTexts(bytes.subarray(start, end)).toString('utf8')
    const record = text === '' ? null : parse(text)
    if (record !== null) lines.push({ at: from + start, text, record: asFields(record) })
  }
  return lines
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // SyntaxError: an unfinished line, or not JSON.
    return null
  }
}
