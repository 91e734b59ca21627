/** Runs that were cut off: where each stood, what it had written, and how to go on. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { resumeAt } from '../agents/resume.ts'
import { positionOf } from '../sessions/position.ts'
import { type RunRow, sessionOfTurn, turnsOf } from '../sessions/runs.ts'
import { findSession, type SessionRow } from '../sessions/sessions.ts'
import type { ToolCallRow } from '../sessions/tool-calls.ts'
import type { Recorder } from '../workspaces/recorder.ts'

/** Longer ago it is history. */
const RECENT_MS = 7 * 24 * 3600_000
const MOST = 5

/**
 * Newest first. Each is told by the conversation of its last turn. One is over when that conversation, or one cut from it,
 * went on, when it was taken back, or, without a conversation, when another run ended well.
 */
export function interruptedRuns(recorder: Recorder): WorkspaceStatus['interruptedRuns'] {
  const { store } = recorder
  const rows = store.db
    .prepare("SELECT * FROM run WHERE state = 'interrupted' AND taken_back = 0 AND ended_at > ? ORDER BY n DESC")
    .all(recorder.now() - RECENT_MS) as RunRow[]
  const told: WorkspaceStatus['interruptedRuns'][number][] = []
  for (const run of rows) {
    if (told.length === MOST) break
    const turn = turnsOf(store, run.id).at(-1)?.id ?? null
    const id = (turn && sessionOfTurn(store, turn)) ?? run.session
    if (wentOn(recorder, run, id)) continue
    const session = id ? findSession(store, id) : null
    const position = session ? positionOf(session) : null
    const stood = position?.run === run.id ? position : null
    told.push({
      run: run.id,
      session: id,
      agent: run.agent,
      turn,
      phase: stood?.phase ?? 'stopped',
      toolCall: stood?.toolCall ?? null,
      resume: session ? resumeOf(recorder, session) : null,
      title: run.title,
      at: run.ended_at ?? run.started_at,
      doing: doing(recorder, stood?.toolCall ?? null),
      files: run.files
    })
  }
  return told
}

function wentOn({ store }: Recorder, run: RunRow, session: string | null): boolean {
  const later = session
    ? store.db.prepare(
        'SELECT 1 FROM run WHERE n > ? AND (session = ? OR session IN (SELECT id FROM session WHERE forked_from = ?)) LIMIT 1'
      )
    : store.db.prepare("SELECT 1 FROM run WHERE n > ? AND state = 'ended' LIMIT 1")
  return later.get(run.n, ...(session ? [session, session] : [])) !== undefined
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
