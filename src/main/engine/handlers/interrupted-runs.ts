/** Interrupted runs: where each stopped, what it had changed, and how to resume it. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { InterruptedRun } from '../../../contract/status.ts'
import { resumeAt } from '../agents/resume.ts'
import { positionOf } from '../runs/position.ts'
import type { Store } from '../store/open-store.ts'
import { hasLaterEndedRun, interruptedRuns, wasSessionContinued } from '../store/runs.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import { findCall } from '../store/tool-calls.ts'
import { sessionOfTurn, turnsOf } from '../store/turns.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'

/** Older runs are not offered. */
const MAX_AGE_MS = 7 * 24 * 3600_000
const MAX_RUNS = 5

/**
 * Newest first. A run is no longer listed when it was undone, or when work continued: in the conversation of its last turn, in a
 * fork of that, or, for a run without a conversation, in any later run that ended normally.
 */
export function listInterruptedRuns(open: OpenWorkspace): readonly InterruptedRun[] {
  const { store } = open
  const listed: InterruptedRun[] = []
  for (const run of interruptedRuns(store, open.now() - MAX_AGE_MS)) {
    if (listed.length === MAX_RUNS) break
    const turn = turnsOf(store, run.id).at(-1)?.id ?? null
    const sessionId = (turn && sessionOfTurn(store, turn)) ?? run.session
    if (sessionId === null ? hasLaterEndedRun(store, run) : wasSessionContinued(store, run, sessionId)) continue
    const session = sessionId ? findSession(store, sessionId) : null
    const position = session ? positionOf(session) : null
    // The session may have moved on to another run; its position then says nothing about this one.
    const lastPosition = position?.run === run.id ? position : null
    listed.push({
      run: run.id,
      session: sessionId,
      agent: run.agent,
      turn,
      phase: lastPosition?.phase ?? 'stopped',
      toolCall: lastPosition?.toolCall ?? null,
      resume: session ? resumeOf(open, session) : null,
      title: run.title,
      at: run.ended_at ?? run.started_at,
      ...openCallOf(store, lastPosition?.toolCall ?? null),
      files: run.files
    })
  }
  return listed
}

function openCallOf(store: Store, id: string | null): Pick<InterruptedRun, 'doing' | 'openCall'> {
  const call = id === null ? null : findCall(store, id)
  if (!call) return { doing: '', openCall: null }
  const { name, summary } = call
  return { doing: [name, summary].filter(Boolean).join(': '), openCall: { name, summary } }
}

function resumeOf(open: OpenWorkspace, session: SessionRow): { command: string; cwd: string } | null {
  try {
    const { command, cwd } = resumeAt(open, session, session.revision, false)
    return { command, cwd }
  } catch (error) {
    // Driftline has no resume command for this agent.
    if (error instanceof DriftlineError) return null
    throw error
  }
}
