/** State of a session beside its messages and tool calls: mode, plan, todos and phase. */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { checkDisk } from '../drift/check.ts'
import { liveRunOf } from '../runs/agent-runs.ts'
import { runsTests } from '../runs/test-commands.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import type { RunRow } from '../store/runs.ts'
import { findSession, type SessionRow, type StoredTodo, updateSession } from '../store/sessions.ts'
import type { TodoUpdate, ToolUse } from './agent-action.ts'
import { commitAction, type IngestContext } from './ingest-context.ts'

const PLAN = 'plan'

/** Records a change of mode. Entering and leaving plan mode makes a checkpoint: it separates planning from doing. */
export async function changeMode(ingest: IngestContext, mode: string): Promise<void> {
  const { workspace, store, fromSpool, origin } = ingest
  const session = findSession(store, origin.session)
  if (!session || (session.mode === PLAN) === (mode === PLAN)) return
  if (!fromSpool) await checkDisk(ingest.workspace, 'position')
  const run = liveRunOf(store, session)
  commitAction(ingest, (tx) => {
    addCheckpoint(
      tx,
      workspace.root,
      {
        reason: 'plan_mode',
        label: mode === PLAN ? 'entered' : 'left',
        run: run?.id ?? null,
        turn: run ? session.turn : null,
        session: session.id
      },
      workspace.now()
    )
    updateSession(tx, session.id, { mode, ...(run ? { phase: mode === PLAN ? PLAN : 'execute' } : {}) })
  })
  workspace.notifyChanged(['checkpoints'])
}

/** The session's phase once this tool runs: a turn that runs tests after it edited files is verifying. */
export function nextPhase(ingest: IngestContext, session: SessionRow, run: RunRow, use: ToolUse): SessionRow['phase'] {
  if (session.mode === PLAN) return PLAN
  if (use.writeScope === 'nothing') return session.phase
  const checks = use.writeScope === 'folder' && runsTests(use.summary, ingest.workspace.testCommands())
  return checks && editsOfRun(ingest.store, run.id).length > 0 ? 'verify' : 'execute'
}

/** The list with one entry updated, or appended when its id is new. An empty text keeps the known one. */
export function withTodo(todos: readonly StoredTodo[], update: TodoUpdate): StoredTodo[] {
  const known = todos.find((todo) => todo.id === update.id)
  const next = { id: update.id, text: update.text || (known?.text ?? ''), status: update.status }
  return known ? todos.map((todo) => (todo === known ? next : todo)) : [...todos, next]
}
