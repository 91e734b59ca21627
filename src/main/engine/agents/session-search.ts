/** Whether a message is in an agent's own files of its session, without reading more of them than it takes. */
import type { MessageRow } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { readSlice } from './agent-files.ts'
import { containsMessage, findMessageIndex, readLines, searchKeyOf } from './session-file.ts'
import { sessionFileRanges, withOpenRange } from './session-file-ranges.ts'
import { DOCUMENT_READERS } from './transcript-records.ts'

/**
 * Whether the agent's own files say a message; null when they cannot be read. Goes backwards a few MB at a time: what was
 * said lately is found at once, and memory stays flat, whatever the size.
 */
export function transcriptHasMessage(recorder: Recorder, session: SessionRow, message: MessageRow): boolean | null {
  let holds: boolean | null = null
  for (const place of sessionFileRanges(recorder, session)) {
    const found = withOpenRange(place, (descriptor, bytes) =>
      session.agent in DOCUMENT_READERS
        ? findMessageIndex(session.agent, readLines(descriptor, bytes, session.agent), message) >= 0
        : searchBackwards(descriptor, bytes, session.agent, message)
    )
    if (found === null) break
    holds = found
    if (found) break
  }
  return holds
}

/** Bytes looked through at once. */
const STEP = 4 * 1024 * 1024
const LINE_END = 10

function searchBackwards(descriptor: number, bytes: number, agent: string, message: MessageRow): boolean {
  const mark = Buffer.from(searchKeyOf(message))
  // The begin of a line whose end was read before; null while what was read is the unfinished end of the file.
  let rest: Buffer | null = null
  for (let to = bytes; to > 0; to -= STEP) {
    const from = Math.max(0, to - STEP)
    const read = readSlice(descriptor, from, to - from)
    const whole: Buffer = rest === null ? read.subarray(0, read.lastIndexOf(LINE_END) + 1) : Buffer.concat([read, rest])
    if (rest === null && whole.length === 0) continue
    const begin = from === 0 ? 0 : whole.indexOf(LINE_END) + 1
    if (searchLines(whole.subarray(begin), mark, agent, message)) return true
    rest = whole.subarray(0, begin)
  }
  return false
}

function searchLines(lines: Buffer, mark: Buffer, agent: string, message: MessageRow): boolean {
  for (let at = lines.indexOf(mark); at >= 0; ) {
    const begin = lines.lastIndexOf(LINE_END, at) + 1
    const end = lines.indexOf(LINE_END, at)
    if (containsMessage(agent, lines.toString('utf8', begin, end), message)) return true
    at = end < 0 ? -1 : lines.indexOf(mark, end)
  }
  return false
}
