/**
 * Imports what is new in an agent's transcript: messages, usage, unknown records and rewinds. The
 * session's row stores the offset up to which the file was imported, so each byte is imported once.
 */

import { addMessage } from '../runs/add-message.ts'
import { fillInPrompt } from '../runs/agent-runs.ts'
import { bumpRev } from '../store/meta.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { transcriptFile, withAgentFile } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { applyRewinds, findRewinds } from './rewinds.ts'
import { readDocument, readLines } from './transcript-file.ts'
import { MESSAGE_READERS, writesDocument } from './transcript-records.ts'
import { addUsage, USAGE_READERS } from './transcript-usage.ts'
import { isUnknownRecord, saveUnknownRecords } from './unknown-records.ts'

/**
 * Appends new messages to the session. Unreadable or malformed files are ignored. With `prompt`, the text of a prompt
 * that is about to be recorded, only messages before that prompt are imported: those after it belong to the next
 * turn.
 */
export function importTranscript(context: SessionContext, id: string, prompt?: string): void {
  const session = findSession(context.store, id)
  const read = session && readNewRecords(context, session)
  if (!session || !read) return
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
        usage: addUsage(session.usage, read.usage),
        model: read.usage.findLast(({ model }) => model !== null)?.model ?? session.model
      })
    bumpRev(tx)
  })
  if (promptAt < 0) applyRewinds(context, session, read.rewinds.rewound)
}

/** Imports the transcript up to its end, in as many steps as it takes. */
export function importWholeTranscript(context: SessionContext, id: string): void {
  const upTo = (): number | undefined => findSession(context.store, id)?.transcript_at
  for (let before = Number.NaN; before !== upTo(); ) {
    before = upTo() ?? Number.NaN
    importTranscript(context, id)
  }
}

/** What the part of the transcript behind the session's offset holds; null when there is nothing new that can be read. */
function readNewRecords(context: SessionContext, session: SessionRow) {
  const { agent, transcript_at: offset } = session
  const file = transcriptFile(context, session)
  const reader = MESSAGE_READERS[agent]
  if (!file || !reader) return null
  // A shorter file was rewritten: read it from the start. Messages imported before are recognised by their ids.
  // A document is read as a whole whenever its size changes.
  return withAgentFile(file, (descriptor, { size }) => {
    if (size === offset) return null
    const from = size < offset ? 0 : offset
    const part = writesDocument(agent) ? readDocument(descriptor, size) : readLines(descriptor, from, size)
    if (!part) return null
    const records = part.records.map(({ fields }) => fields)
    // After a line that was too long to be read, the next record's parent is not known.
    const leaf = from === 0 || records.length === 0 ? null : session.leaf
    return {
      messages: records.flatMap(reader),
      usage: records.flatMap((record) => USAGE_READERS[agent]?.(record) ?? []),
      unknown: part.records.filter(({ fields }) => isUnknownRecord(agent, fields)),
      rewinds: findRewinds(
        agent,
        records,
        leaf,
        (record) => reader(record).find(({ role }) => role === 'user')?.source ?? null
      ),
      upTo: part.upTo
    }
  })
}
