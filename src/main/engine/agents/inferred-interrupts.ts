/**
 * [GW-4] Ends tool calls and runs whose end no hook reports, above all after an interrupt (Esc), by what their agent
 * left behind (late-results.ts). Invariant: a call's end is stored before the next scan, so that changes found later
 * are not attributed to the call.
 */
import { checkDisk } from '../drift/check.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import { endRun } from '../runs/end-run.ts'
import { type RunOver, runFacts, runState } from '../runs/run-state.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, liveRuns, type RunRow } from '../store/runs.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { abandonCalls, closeCall, setCallEnd } from '../store/tool-calls.ts'
import type { AgentWorkspace, SessionContext } from './agent-workspace.ts'
import { findLateResults, type LateResult } from './late-results.ts'
import { importTranscript } from './transcript.ts'
import { writesDocument } from './transcript-records.ts'

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
    if (interruptedAt !== null) abandonCalls(tx, run.id, interruptedAt, 'stay')
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
