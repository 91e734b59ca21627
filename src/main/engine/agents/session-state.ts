/** What an agent tells of its session beside words and tools: plan mode, plan, todos, and what it is busy with. */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { liveRunOf } from '../sessions/agent-runs.ts'
import { editsOfRun, type RunRow } from '../sessions/runs.ts'
import { findSession, type SessionRow, type StoredTodo, updateSession } from '../sessions/sessions.ts'
import type { AgentAction, ToolUse } from './agent-action.ts'
import { commitAction, type IngestContext, scanForCheckpoint } from './ingest-context.ts'

const PLAN = 'plan'

/** Entering or leaving plan mode is a position of its own: what was thought about ends, what is done begins. */
export async function changeMode(ingest: IngestContext, mode: string): Promise<void> {
  const { recorder, fromSpool, origin } = ingest
  const { store } = recorder
  const session = findSession(store, origin.session)
  if (!session || (session.mode === PLAN) === (mode === PLAN)) return
  if (!fromSpool) await scanForCheckpoint(ingest, 'beginning')
  const run = liveRunOf(recorder, session)
  commitAction(ingest, () => {
    addCheckpoint(
      recorder,
      {
        reason: 'plan_mode',
        label: mode === PLAN ? 'plan mode entered' : 'plan mode left',
        run: run?.id ?? null,
        turn: run ? session.turn : null,
        session: session.id
      },
      recorder.now()
    )
    updateSession(store, session.id, { mode, ...(run ? { phase: mode === PLAN ? PLAN : 'execute' } : {}) })
  })
  recorder.notifyChanged(['checkpoints'])
}

/** Commands that look at what was made and make nothing: a turn that comes to them is at its end. */
const VERIFY_COMMAND =
  /\b(?:test|tests|vitest|jest|mocha|pytest|tox|rspec|phpunit|ctest|tsc|typecheck|lint|eslint|biome|ruff|mypy|clippy|check|verify)\b/

/** What the session is busy with once this tool runs. */
export function nextPhase(ingest: IngestContext, session: SessionRow, run: RunRow, use: ToolUse): SessionRow['phase'] {
  if (session.mode === PLAN) return PLAN
  if (use.writeScope === 'nothing') return session.phase
  const checks = use.writeScope === 'folder' && VERIFY_COMMAND.test(use.summary)
  return checks && editsOfRun(ingest.recorder.store, run.id).length > 0 ? 'verify' : 'execute'
}

export function withTodo(todos: readonly StoredTodo[], one: Extract<AgentAction, { kind: 'todo' }>): StoredTodo[] {
  const known = todos.find((todo) => todo.id === one.id)
  const next = { id: one.id, text: one.text || (known?.text ?? ''), status: one.status }
  return known ? todos.map((todo) => (todo === known ? next : todo)) : [...todos, next]
}
