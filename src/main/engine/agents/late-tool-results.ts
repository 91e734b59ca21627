/** [GW-4] Open calls whose end the transcript has and no hook has told: noted before the folder is looked at, so that what changed later is not theirs. */
import { write } from '../db/transaction.ts'
import { liveRuns, type RunRow, turnsOf } from '../sessions/runs.ts'
import { findSession } from '../sessions/sessions.ts'
import { openCallsOf, setCallEnd, type ToolCallRow } from '../sessions/tool-calls.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { idleSince } from './claude-status.ts'
import { findTranscriptEnds } from './transcript.ts'

export interface LateResults {
  readonly calls: readonly {
    readonly call: ToolCallRow
    readonly at: number
    readonly state: 'done' | 'failed' | 'abandoned'
  }[]
  readonly interruptedAt: number | null
}

/** Call inside the workspace's lock. Reads a transcript only when it has grown. */
export function recordLateResults(recorder: Recorder): void {
  const { store } = recorder
  for (const run of liveRuns(store)) {
    const fresh = findLateResults(recorder, run).calls.filter(({ call }) => call.ended_at === null)
    if (fresh.length > 0)
      write(store.db, () => {
        for (const { call, at } of fresh) setCallEnd(store, call.id, at)
      })
  }
}

/** What the transcript says of a run that nobody else has said. */
export function findLateResults(recorder: Recorder, run: RunRow): LateResults {
  const { store } = recorder
  const session = run.session === null ? null : findSession(store, run.session)
  if (!session) return { calls: [], interruptedAt: null }
  const turn = turnsOf(store, run.id).at(-1)
  const told = findTranscriptEnds(recorder, session)
  const calls = openCallsOf(store, run.id)
  const interrupt = told.findLast((one) => one.call === null)?.at ?? null
  // With nothing of it at work and no end told, an agent that waits for a person was interrupted before it answered.
  const idle = calls.length === 0 && session.background === 0 ? idleSince(recorder, session, run) : null
  // An interrupt of an earlier turn is none of this one.
  const interruptedAt = [interrupt, idle].find((at) => at !== null && turn && at >= turn.started_at) ?? null
  const open = calls.filter((call) => call.state === 'open')
  const ended = open.flatMap((call): LateResults['calls'][number][] => {
    const end = told.find((one) => one.call !== null && one.call === call.agent_call)
    if (end) {
      const cut = end.failed && interruptedAt !== null
      return [{ call, at: end.at, state: cut ? 'abandoned' : end.failed ? 'failed' : 'done' }]
    }
    // Noted by a process that has ended since, or before the messages were read.
    if (call.ended_at !== null)
      return [{ call, at: call.ended_at, state: interruptedAt === null ? 'done' : 'abandoned' }]
    return interruptedAt === null ? [] : [{ call, at: interruptedAt, state: 'abandoned' }]
  })
  return { calls: ended, interruptedAt }
}
