/** What an agent tells of its session beside words and tools: plan mode, plan, todos, and what it is busy with. */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { liveRunOf } from '../sessions/hooked-runs.ts'
import { editsOfRun, type RunRow } from '../sessions/runs.ts'
import { findSession, type SessionRow, type StoredTodo, updateSession } from '../sessions/sessions.ts'
import type { Happening, ToolUse } from './event.ts'
import { lookFor, record, type Taking } from './taking.ts'

const PLAN = 'plan'

/** Entering or leaving plan mode is a position of its own: what was thought about ends, what is done begins. */
export async function changeMode(taking: Taking, mode: string): Promise<void> {
  const { recorder, late, origin } = taking
  const { store } = recorder
  const session = findSession(store, origin.session)
  if (!session || (session.mode === PLAN) === (mode === PLAN)) return
  if (!late) await lookFor(taking, 'beginning')
  const run = liveRunOf(recorder, session)
  record(taking, () => {
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
  recorder.changed(['checkpoints'])
}

/** Commands that look at what was made and make nothing: a turn that comes to them is at its end. */
const CHECKS =
  /\b(?:test|tests|vitest|jest|mocha|pytest|tox|rspec|phpunit|ctest|tsc|typecheck|lint|eslint|biome|ruff|mypy|clippy|check|verify)\b/

/** What the session is busy with once this tool runs. */
export function phaseWith(taking: Taking, session: SessionRow, run: RunRow, use: ToolUse): SessionRow['phase'] {
  if (session.mode === PLAN) return PLAN
  if (use.reach === 'nothing') return session.phase
  const checks = use.reach === 'folder' && CHECKS.test(use.summary)
  return checks && editsOfRun(taking.recorder.store, run.id).length > 0 ? 'verify' : 'execute'
}

export function withTodo(todos: readonly StoredTodo[], one: Extract<Happening, { kind: 'todo' }>): StoredTodo[] {
  const known = todos.find((todo) => todo.id === one.id)
  const next = { id: one.id, text: one.text || (known?.text ?? ''), status: one.status }
  return known ? todos.map((todo) => (todo === known ? next : todo)) : [...todos, next]
}
