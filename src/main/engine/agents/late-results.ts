/**
 * Finds ends of work that no hook reported, in what an agent leaves behind: its transcript, and the status file of its
 * process. Reads only; inferred-interrupts.ts stores what follows from it. Invariant: each part of a transcript is
 * scanned once, whatever was imported meanwhile.
 */
import { join } from 'node:path'
import type { Store } from '../store/open-store.ts'
import type { RunRow } from '../store/runs.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import { openCallsOf, type ToolCallRow } from '../store/tool-calls.ts'
import { turnsOf } from '../store/turns.ts'
import { agentFolder, readSlice, transcriptFile, withAgentFile } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { parseRecord } from './payload.ts'
import { MAX_READ_BYTES, readLines } from './transcript-file.ts'
import { END_READERS, readEnds, type TranscriptEnd } from './transcript-records.ts'

/** The end of an open tool call. */
export interface LateResult {
  readonly call: ToolCallRow
  /** ms UTC */
  readonly at: number
  readonly state: 'done' | 'failed' | 'abandoned'
}

/**
 * Compares the run's open calls with the ends in its session's transcript. `interruptedAt`: when the user interrupted
 * the run's current turn, ms UTC; null when not.
 */
export function findLateResults(context: SessionContext, run: RunRow) {
  const { store } = context
  const session = run.session === null ? null : findSession(store, run.session)
  if (!session) return { calls: [], interruptedAt: null }
  const turn = turnsOf(store, run.id).at(-1)
  const ends = findTranscriptEnds(context, session)
  const calls = openCallsOf(store, run.id)
  const interrupt = ends.findLast((end) => end.call === null)?.at ?? null
  // Claude Code writes no transcript record for an interrupt before its first answer: an idle process with no open
  // work was interrupted.
  const idle = calls.length === 0 && session.background === 0 ? idleSince(context, session, run) : null
  // Ignore interrupts of earlier turns. A turn whose prompt waited in the spool began before it was recorded: its calls
  // have their own times.
  const since = turn && Math.min(turn.started_at, ...calls.filter((call) => call.turn === turn.id).map(openedAt))
  const interruptedAt = [interrupt, idle].find((at) => at !== null && since && at >= since) ?? null
  const open = calls.filter((call) => call.state === 'open')
  const ended = open.flatMap((call): LateResult[] => {
    const end = ends.find((end) => end.call !== null && end.call === call.agent_call)
    if (end) {
      const cancelled = end.failed && interruptedAt !== null
      return [{ call, at: end.at, state: cancelled ? 'abandoned' : end.failed ? 'failed' : 'done' }]
    }
    // The end time was stored earlier: by a process that has exited since, or before the transcript was imported.
    if (call.ended_at !== null)
      return [{ call, at: call.ended_at, state: interruptedAt === null ? 'done' : 'abandoned' }]
    return interruptedAt === null ? [] : [{ call, at: interruptedAt, state: 'abandoned' }]
  })
  return { calls: ended, interruptedAt }
}

const openedAt = (call: ToolCallRow): number => call.opened_at

/** A larger file is not a status file, bytes. */
const MAX_STATUS_BYTES = 64 * 1024

/**
 * When the run's process became idle, ms UTC; null while it is busy, or when its status is unknown. The status file
 * that Claude Code keeps for each of its processes is the only trace of an interrupt before the first answer: no hook
 * reports that, and the transcript gets no record.
 */
function idleSince(context: SessionContext, session: SessionRow, run: RunRow): number | null {
  const folder = session.agent === 'claude-code' ? agentFolder(context, session) : null
  if (!folder) return null
  const file = join(folder, 'sessions', `${run.pid}.json`)
  return withAgentFile({ folder, file }, (descriptor) => {
    const status = parseRecord(readSlice(descriptor, 0, MAX_STATUS_BYTES).toString('utf8'))
    const isIdle = status.sessionId === session.id && status.status === 'idle'
    return isIdle && typeof status.statusUpdatedAt === 'number' ? status.statusUpdatedAt : null
  })
}

interface EndScan {
  /** Bytes scanned, up to the end of a line. */
  readonly upTo: number
  readonly ends: readonly TranscriptEnd[]
}

/** What was found so far in each session's transcript, so that only its new part is scanned. */
const SCANS: WeakMap<Store, Map<string, EndScan>> = new WeakMap()
/** Ends kept for each session; the calls of older ones were closed long ago. */
const MAX_ENDS = 500

/**
 * Ends of work in the part of the transcript that was not imported when this was first called, oldest first.
 * Independent of the import: it does not move the session's offset, so that an end can be found before the next event
 * triggers an import.
 */
function findTranscriptEnds(context: SessionContext, session: SessionRow): readonly TranscriptEnd[] {
  const file = session.agent in END_READERS ? transcriptFile(context, session) : null
  if (!file) return []
  const ends = withAgentFile(file, (descriptor, { size }) => {
    const scans = SCANS.get(context.store) ?? new Map<string, EndScan>()
    const known = scans.get(session.id)
    // A file shorter than before was rewritten: scan it from the start.
    const before: EndScan =
      known && known.upTo <= size ? known : { upTo: size < session.transcript_at ? 0 : session.transcript_at, ends: [] }
    // Only the tail is read: an end is among the last records.
    const part = before.upTo < size && readLines(descriptor, Math.max(before.upTo, size - MAX_READ_BYTES), size)
    if (!part) return before.ends
    const found = part.records.flatMap(({ fields }) => readEnds(session.agent, fields))
    const scan = { upTo: part.upTo, ends: [...before.ends, ...found].slice(-MAX_ENDS) }
    SCANS.set(context.store, scans.set(session.id, scan))
    return scan.ends
  })
  return ends ?? []
}
