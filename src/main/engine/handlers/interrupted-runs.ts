/** Interrupted runs: where each stopped, what it had changed, and how to resume it. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { resumeAt } from '../agents/resume.ts'
import { positionOf } from '../runs/position.ts'
import { type RunRow, sessionOfTurn, turnsOf } from '../store/runs.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'
import type { Recorder } from '../workspaces/recorder.ts'

/** Older runs are not offered. */
const MAX_AGE_MS = 7 * 24 * 3600_000
const MAX_RUNS = 5

/**
 * Newest first. A run is no longer listed when it was undone, or when work continued: in the conversation of its last turn, in a
 * fork of that, or, for a run without a conversation, in any later run that ended normally.
 */
export function listInterruptedRuns(recorder: Recorder): WorkspaceStatus['interruptedRuns'] {
  const { store } = recorder
  const rows = store.db
    .prepare("SELECT * FROM run WHERE state = 'interrupted' AND taken_back = 0 AND ended_at > ? ORDER BY n DESC")
    .all(recorder.now() - MAX_AGE_MS) as RunRow[]
  const listed: WorkspaceStatus['interruptedRuns'][number][] = []
  for (const run of rows) {
    if (listed.length === MAX_RUNS) break
    const turn = turnsOf(store, run.id).at(-1)?.id ?? null
    const sessionId = (turn && sessionOfTurn(store, turn)) ?? run.session
    if (wasContinued(recorder, run, sessionId)) continue
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
      resume: session ? resumeOf(recorder, session) : null,
      title: run.title,
      at: run.ended_at ?? run.started_at,
      doing: describeCall(recorder, lastPosition?.toolCall ?? null),
      files: run.files
    })
  }
  return listed
}

function wasContinued({ store }: Recorder, run: RunRow, session: string | null): boolean {
  const later = session
    ? store.db.prepare(
        'SELECT 1 FROM run WHERE n > ? AND (session = ? OR session IN (SELECT id FROM session WHERE forked_from = ?)) LIMIT 1'
      )
    : store.db.prepare("SELECT 1 FROM run WHERE n > ? AND state = 'ended' LIMIT 1")
  return later.get(run.n, ...(session ? [session, session] : [])) !== undefined
}

function describeCall({ store }: Recorder, call: string | null): string {
  const row = store.db.prepare('SELECT name, summary FROM tool_call WHERE id = ?').get(call) as
    | Pick<ToolCallRow, 'name' | 'summary'>
    | undefined
  return row ? [row.name, row.summary].filter((part) => part !== '').join(': ') : ''
}

function resumeOf(recorder: Recorder, session: SessionRow): { command: string; cwd: string } | null {
  try {
    const { command, cwd } = resumeAt(recorder, session, session.revision, false)
    return { command, cwd }
  } catch (error) {
    // Driftline has no resume command for this agent.
    if (error instanceof DriftlineError) return null
    throw error
  }
}
