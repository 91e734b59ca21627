/**
 * [GW-4] Finds the ends of tool calls and runs that no hook reported but the transcript shows. The end's time is
 * recorded before the next scan, so that changes found later are not attributed to the call.
 */
import { liveRuns, type RunRow } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { openCallsOf, setCallEnd, type ToolCallRow } from '../store/tool-calls.ts'
import { turnsOf } from '../store/turns.ts'
import type { SessionContext } from './agent-workspace.ts'
import { idleSince } from './claude-status.ts'
import { findTranscriptEnds } from './transcript-ends.ts'

/** Ends of a run's work that only the transcript (or Claude Code's status file) shows. */
export interface LateResults {
  readonly calls: readonly {
    readonly call: ToolCallRow
    readonly at: number
    readonly state: 'done' | 'failed' | 'abandoned'
  }[]
  /** When the user interrupted the run's current turn, ms UTC; null when not. */
  readonly interruptedAt: number | null
}

/**
 * Stores the end times of late results. Call inside the workspace's lock. Reads a transcript only when it has grown.
 */
export function recordLateResults(context: SessionContext): void {
  const { store } = context
  for (const run of liveRuns(store)) {
    const fresh = findLateResults(context, run).calls.filter(({ call }) => call.ended_at === null)
    if (fresh.length > 0)
      transact(store, (tx) => {
        for (const { call, at } of fresh) setCallEnd(tx, call.id, at)
      })
  }
}

/** Compares the run's open calls with the ends in its session's transcript. */
export function findLateResults(context: SessionContext, run: RunRow): LateResults {
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
  const ended = open.flatMap((call): LateResults['calls'][number][] => {
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
