/**
 * [GW-4] Ends runs whose end no hook reports, above all after an interrupt (Esc): once an agent has been quiet, the
 * tail of its transcript is read for the end. The end's time is recorded before the next scan, so that changes found
 * later are not attributed to the call.
 */
import { join } from 'node:path'
import { checkDisk } from '../drift/check.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import { endRun } from '../runs/end-run.ts'
import { type RunOver, runFacts, runState } from '../runs/run-state.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, liveRuns, type RunRow } from '../store/runs.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { abandonCalls, closeCall, openCallsOf, setCallEnd, type ToolCallRow } from '../store/tool-calls.ts'
import { turnsOf } from '../store/turns.ts'
import { agentFolder, readSlice, transcriptFile, withAgentFile } from './agent-files.ts'
import type { AgentWorkspace, SessionContext } from './agent-workspace.ts'
import { parseRecord } from './payload.ts'
import { importTranscript } from './transcript.ts'
import { MAX_READ_BYTES, readLines } from './transcript-file.ts'
import { END_READERS, readEnds, type TranscriptEnd, writesDocument } from './transcript-records.ts'

/** An agent whose last event is more recent than this is assumed to report the end itself, ms. */
const QUIET_MS = 2000

/** Checks every run whose agent has been quiet, and imports what it wrote meanwhile. Call inside the workspace's lock. */
export async function endQuietRuns(workspace: AgentWorkspace): Promise<void> {
  const { store } = workspace
  for (const run of liveRuns(store)) {
    if (run.session === null || workspace.now() - run.last_event_at < QUIET_MS) continue
    await applyLateResults(workspace, run)
    if (findRun(store, run.id)?.state === 'live' && importProgress(workspace, run))
      workspace.notifyChanged(['sessions'])
  }
}

/**
 * Imports what the agent of a live run wrote so far, so that its words are shown while it works. Call when the prompt
 * of the session's turn is recorded, inside the workspace's lock. Returns whether there was anything new.
 *
 * Ends are searched behind the offset that the import moves, so they are stored first, and an interrupt, which is not
 * stored, is left to the check that ends its run. A transcript that is one document waits for the end of its turn: it
 * would be read as a whole each time.
 */
export function importProgress(workspace: AgentWorkspace, run: RunRow): boolean {
  const { store } = workspace
  const before = run.session === null ? null : findSession(store, run.session)
  if (!before || before.behind > 0 || writesDocument(before.agent)) return false
  const { calls, interruptedAt } = findLateResults(workspace, run)
  if (interruptedAt !== null) return false
  storeEnds(store, calls)
  importTranscript(workspace, before.id)
  const after = findSession(store, before.id)
  if (after?.behind) workspace.catchUp()
  return after?.transcript_at !== before.transcript_at || after.behind > 0
}

/**
 * Closes the calls of a run that are over, and the run itself if it was interrupted or its background work is done.
 * Call inside the workspace's lock.
 */
export async function applyLateResults(workspace: AgentWorkspace, run: RunRow): Promise<void> {
  const { store } = workspace
  const session = run.session === null ? null : findSession(store, run.session)
  if (!session) return
  const { calls, interruptedAt } = findLateResults(workspace, run)
  if (calls.length === 0 && interruptedAt === null) return
  recordLateResults(workspace)
  // Record what is on disk first: everything written until now belongs to these calls.
  await checkNamedPaths(workspace, [...new Set(calls.flatMap(({ call }) => JSON.parse(call.paths) as string[]))])
  await checkDisk(workspace, 'position')
  const verdict = transact(store, (tx) => {
    for (const { call, at, state } of calls) closeCall(tx, call.id, state, Math.max(at, call.opened_at))
    if (interruptedAt !== null) abandonCalls(tx, run.id, false, interruptedAt)
    const facts = runFacts(tx, run, interruptedAt === null ? 'found-ends' : 'found-interrupt')
    if (interruptedAt !== null || facts.waiting) updateSession(tx, session.id, { background: facts.working })
    return runState(facts, workspace.now())
  })
  const now = findRun(store, run.id)
  if (now && verdict.state !== 'live') endWithTranscript(workspace, now, verdict)
  workspace.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
}

/** Ends a run that no hook ends, with what its agent wrote last: both or neither. */
export function endWithTranscript(workspace: AgentWorkspace, run: RunRow, over: RunOver): void {
  transact(workspace.store, () => {
    if (run.session !== null) importTranscript(workspace, run.session)
    endRun(workspace, run, over)
  })
  workspace.catchUp()
}

interface LateResult {
  readonly call: ToolCallRow
  readonly at: number
  readonly state: 'done' | 'failed' | 'abandoned'
}

/**
 * Stores the end times of late results. Call inside the workspace's lock. Reads a transcript only when it has grown.
 */
export function recordLateResults(context: SessionContext): void {
  const { store } = context
  for (const run of liveRuns(store)) storeEnds(store, findLateResults(context, run).calls)
}

/** Stores the ends that are new. */
function storeEnds(store: Store, calls: readonly LateResult[]): void {
  const fresh = calls.filter(({ call }) => call.ended_at === null)
  if (fresh.length === 0) return
  transact(store, (tx) => {
    for (const { call, at } of fresh) setCallEnd(tx, call.id, at)
  })
}

/**
 * Compares the run's open calls with the ends in its session's transcript. `interruptedAt`: when the user interrupted
 * the run's current turn, ms UTC; null when not.
 */
function findLateResults(context: SessionContext, run: RunRow) {
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
  // Ignore interrupts of earlier turns.
  const interruptedAt = [interrupt, idle].find((at) => at !== null && turn && at >= turn.started_at) ?? null
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
