/**
 * Scans the new part of a transcript for ends of work that hooks do not report. Independent of the import: it does not
 * move the session's offset, so that an end can be found before the next event triggers an import.
 */

import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'
import { isAgent } from './agent-action.ts'
import { readSlice } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { LINE_FEED, MAX_READ_BYTES, parseLines, withTranscript } from './transcript-file.ts'
import { END_READERS, type TranscriptEnd } from './transcript-records.ts'

interface EndScan {
  /** Bytes scanned, up to the end of a line. */
  readonly upTo: number
  readonly ends: readonly TranscriptEnd[]
}

/** What was found so far in each session's transcript, so that only its new part is scanned. */
const SCANS: WeakMap<Store, Map<string, EndScan>> = new WeakMap()
/** Ends kept for each session; the calls of older ones were closed long ago. */
const MAX_ENDS = 500

/** Ends of work in the part of the transcript that was not imported when this was first called, oldest first. */
export function findTranscriptEnds(context: SessionContext, session: SessionRow): readonly TranscriptEnd[] {
  const reader = isAgent(session.agent) ? END_READERS[session.agent] : undefined
  if (!reader) return []
  const ends = withTranscript(context, session, (descriptor, size) => {
    const scans = SCANS.get(context.store) ?? new Map<string, EndScan>()
    const known = scans.get(session.id)
    // A file shorter than before was rewritten: scan it from the start.
    const before: EndScan =
      known && known.upTo <= size ? known : { upTo: size < session.transcript_at ? 0 : session.transcript_at, ends: [] }
    if (before.upTo === size) return before.ends
    // Only the tail is read: an end is among the last records.
    const from = Math.max(before.upTo, size - MAX_READ_BYTES)
    const bytes = readSlice(descriptor, from, size - from)
    const complete = bytes.lastIndexOf(LINE_FEED) + 1
    const found = parseLines(bytes.subarray(0, complete), from).flatMap(({ record }) => reader(record))
    const scan = { upTo: from + complete, ends: [...before.ends, ...found].slice(-MAX_ENDS) }
    SCANS.set(context.store, scans.set(session.id, scan))
    return scan.ends
  })
  return ends ?? []
}
