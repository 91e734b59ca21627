/** Searches an agent's session files for a message without reading more of them than needed. */
import type { MessageRow } from '../store/messages.ts'
import type { SessionRow } from '../store/sessions.ts'
import { readSlice } from './agent-files.ts'
import type { AgentFilesContext } from './agent-workspace.ts'
import { containsMessage, findMessageLine, readLines, searchKeyOf } from './session-file.ts'
import { sessionFileRanges, withOpenRange } from './session-file-ranges.ts'
import { DOCUMENT_READERS } from './transcript-records.ts'

/**
 * Whether the session's files hold the message; null when they cannot be read. Line files are read backwards in
 * blocks: recent messages are found first, and memory use does not depend on the file's size.
 */
export function transcriptHasMessage(
  context: AgentFilesContext,
  session: SessionRow,
  message: MessageRow
): boolean | null {
  let holds: boolean | null = null
  for (const range of sessionFileRanges(context, session)) {
    const found = withOpenRange(range, (descriptor, bytes) =>
      session.agent in DOCUMENT_READERS
        ? findMessageLine(session.agent, readLines(descriptor, bytes, session.agent), message) >= 0
        : searchBackwards(descriptor, bytes, session.agent, message)
    )
    if (found === null) break
    holds = found
    if (found) break
  }
  return holds
}

/** Bytes read at a time. */
const BLOCK = 4 * 1024 * 1024
const LINE_END = 10

function searchBackwards(descriptor: number, bytes: number, agent: string, message: MessageRow): boolean {
  const key = Buffer.from(searchKeyOf(message))
  // The start of the line that continues in the block read before; null until the first line end is found, because
  // the last line of the file may be unfinished.
  let rest: Buffer | null = null
  for (let to = bytes; to > 0; to -= BLOCK) {
    const from = Math.max(0, to - BLOCK)
    const read = readSlice(descriptor, from, to - from)
    const whole: Buffer = rest === null ? read.subarray(0, read.lastIndexOf(LINE_END) + 1) : Buffer.concat([read, rest])
    if (rest === null && whole.length === 0) continue
    const start = from === 0 ? 0 : whole.indexOf(LINE_END) + 1
    if (searchLines(whole.subarray(start), key, agent, message)) return true
    rest = whole.subarray(0, start)
  }
  return false
}

function searchLines(lines: Buffer, key: Buffer, agent: string, message: MessageRow): boolean {
  for (let at = lines.indexOf(key); at >= 0; ) {
    const start = lines.lastIndexOf(LINE_END, at) + 1
    const end = lines.indexOf(LINE_END, at)
    if (containsMessage(agent, lines.toString('utf8', start, end), message)) return true
    at = end < 0 ? -1 : lines.indexOf(key, end)
  }
  return false
}
