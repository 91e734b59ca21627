/**
 * Imports what is new in an agent's transcript: messages, usage, unknown records and rewinds. The
 * session's row stores the offset up to which the file was imported, so each byte is imported once.
 */

import { addMessage } from '../runs/add-message.ts'
import { fillInPrompt } from '../runs/agent-runs.ts'
import { bumpRev } from '../store/meta.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { type AgentId, isAgent } from './agent-action.ts'
import { readSlice } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { asFields } from './payload.ts'
import { applyRewinds, findRewinds, type RewindScan } from './rewinds.ts'
import { LINE_FEED, MAX_READ_BYTES, parseJson, parseLines, withTranscript } from './transcript-file.ts'
import {
  DOCUMENT_READERS,
  type DocumentReader,
  LINE_READERS,
  type LineReader,
  type TranscriptMessage
} from './transcript-records.ts'
import { addUsage, DOCUMENT_USAGE, LINE_USAGE, parseUsage, type TranscriptUsage } from './transcript-usage.ts'
import { truncateTexts } from './truncate-texts.ts'
import { isUnknownRecord, saveUnknownRecords, type UnknownRecord } from './unknown-records.ts'

/**
 * Appends new messages to the session. Unreadable or malformed files are ignored. With `prompt`, the text of a prompt
 * that is about to be recorded, only messages before that prompt are imported: those after it belong to the next
 * turn.
 */
export function importTranscript(context: SessionContext, id: string, prompt?: string): void {
  const session = findSession(context.store, id)
  if (!session || !isAgent(session.agent)) return
  const read = readNewRecords(context, session, session.agent)
  if (!read) return
  const promptAt =
    prompt === undefined
      ? -1
      : read.messages.findLastIndex((message) => message.role === 'user' && message.text === prompt.trim())
  transact(context.store, (tx) => {
    for (const message of promptAt < 0 ? read.messages : read.messages.slice(0, promptAt)) {
      addMessage(tx, id, { ...message, turn: session.turn, at: message.at ?? context.now() })
      if (message.role === 'user') fillInPrompt(tx, session, message.text)
    }
    saveUnknownRecords(tx, id, read.unknown)
    // Do not move the offset: the rest is read again once the prompt is recorded.
    if (promptAt < 0)
      updateSession(tx, id, {
        transcript_at: read.upTo,
        leaf: read.rewinds.leaf,
        ...usageUpdate(session, read.usage)
      })
    bumpRev(tx)
  })
  if (promptAt < 0) applyRewinds(context, session, read.rewinds.rewound)
}

function usageUpdate(session: SessionRow, records: readonly TranscriptUsage[]): { usage?: string; model?: string } {
  const model = records.findLast((record) => record.model !== null)?.model
  return {
    ...(records.length > 0 ? { usage: JSON.stringify(addUsage(parseUsage(session.usage), records)) } : {}),
    ...(model ? { model } : {})
  }
}

/** Imports the transcript up to its end, in as many steps as it takes. */
export function importWholeTranscript(context: SessionContext, id: string): void {
  const upTo = (): number | undefined => findSession(context.store, id)?.transcript_at
  for (let before = Number.NaN; before !== upTo(); ) {
    before = upTo() ?? Number.NaN
    importTranscript(context, id)
  }
}

interface NewRecords {
  readonly messages: readonly TranscriptMessage[]
  readonly usage: readonly TranscriptUsage[]
  readonly unknown: readonly UnknownRecord[]
  readonly rewinds: RewindScan
  /** Offset up to which the transcript was read, bytes. */
  readonly upTo: number
}

const NO_REWINDS: RewindScan = { rewound: [], leaf: null }

/** The part of the transcript behind the session's offset; null when there is nothing new that can be read. */
function readNewRecords(context: SessionContext, session: SessionRow, agent: AgentId): NewRecords | null {
  return withTranscript(context, session, (descriptor, size) => {
    const documentReader = DOCUMENT_READERS[agent]
    if (documentReader) return readNewDocument(descriptor, size, session, agent, documentReader)
    const reader = LINE_READERS[agent]
    return reader ? readNewLines(descriptor, size, session, agent, reader) : null
  })
}

/** A document is read as a whole whenever its size changes. */
function readNewDocument(
  descriptor: number,
  size: number,
  session: SessionRow,
  agent: AgentId,
  reader: DocumentReader
): NewRecords | null {
  if (size === session.transcript_at || size > MAX_READ_BYTES) return null
  const value = parseJson(truncateTexts(readSlice(descriptor, 0, size)).toString('utf8'))
  if (value === null) return null
  const document = asFields(value)
  const usage = DOCUMENT_USAGE[agent]?.(document)
  return { messages: reader(document), usage: usage ? [usage] : [], unknown: [], rewinds: NO_REWINDS, upTo: size }
}

function readNewLines(
  descriptor: number,
  size: number,
  session: SessionRow,
  agent: AgentId,
  reader: LineReader
): NewRecords | null {
  // A shorter file was rewritten: read it from the start. Messages imported before are recognised by their ids.
  const from = size < session.transcript_at ? 0 : session.transcript_at
  const bytes = readSlice(descriptor, from, Math.min(MAX_READ_BYTES, size - from))
  const complete = bytes.lastIndexOf(LINE_FEED) + 1
  if (complete === 0) {
    // Skip the start of a line that is longer than one read; an unfinished line is read again later.
    const isTooLong = bytes.length === MAX_READ_BYTES
    return isTooLong ? { messages: [], usage: [], unknown: [], rewinds: NO_REWINDS, upTo: from + MAX_READ_BYTES } : null
  }
  const lines = parseLines(bytes.subarray(0, complete), from)
  const records = lines.map((line) => line.record)
  return {
    messages: records.flatMap((record) => reader(record) ?? []),
    usage: records.flatMap((record) => LINE_USAGE[agent]?.(record) ?? []),
    unknown: lines.filter(({ record }) => isUnknownRecord(agent, record)),
    rewinds: findRewinds(agent, records, from === 0 ? null : session.leaf, (record) => {
      const message = reader(record)
      return message?.role === 'user' ? message.source : null
    }),
    upTo: from + complete
  }
}
