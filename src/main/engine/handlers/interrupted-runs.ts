/** Runs that were cut off: where each stood, what it had written, and how to go on. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { resumeAt } from '../agents/resume.ts'
import { positionOf } from '../sessions/position.ts'
import { type RunRow, turnsOf } from '../sessions/runs.ts'
import { findSession, type SessionRow } from '../sessions/sessions.ts'
import type { ToolCallRow } from '../sessions/tool-calls.ts'
import type { Recorder } from '../workspaces/recorder.ts'

/** Longer ago it is history. */
const RECENT_MS = 7 * 24 * 3600_000

/**
 * Newest first. One is over when its conversation, or one cut from it, went on, when it was taken back, or, without a
 * conversation, when another run ended well.
 */
export function interruptedRuns(recorder: Recorder): WorkspaceStatus['interruptedRuns'] {
  const rows = recorder.store.db
    .prepare(
      `SELECT * FROM run WHERE state = 'interrupted' AND taken_back = 0 AND ended_at > ?
       AND NOT EXISTS (SELECT 1 FROM run later WHERE later.n > run.n AND iif(run.session IS NULL, later.state = 'ended',
         later.session = run.session OR later.session IN (SELECT id FROM session WHERE forked_from = run.session)))
       ORDER BY n DESC LIMIT 5`
    )
    .all(recorder.now() - RECENT_MS) as RunRow[]
  return rows.map((run) => {
    const session = run.session ? findSession(recorder.store, run.session) : null
    const position = session ? positionOf(session) : null
    const stood = position?.run === run.id ? position : null
    return {
      run: run.id,
      session: run.session,
      agent: run.agent,
      turn: turnsOf(recorder.store, run.id).at(-1)?.id ?? null,
      phase: stood?.phase ?? 'stopped',
      toolCall: stood?.toolCall ?? null,
      resume: session ? resumeOf(recorder, session) : null,
      title: run.title,
      at: run.ended_at ?? run.started_at,
      doing: doing(recorder, stood?.toolCall ?? null),
      files: run.files
    }
  })
}

function doing({ store }: Recorder, call: string | null): string {
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
    // No command is known for this agent.
    if (error instanceof DriftlineError) return null
    throw error
  }
}
