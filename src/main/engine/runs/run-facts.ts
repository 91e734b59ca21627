/** Reads what is recorded about a live run, for runState. */
import { isAlive } from '../ports/processes.ts'
import type { Store } from '../store/open-store.ts'
import type { RunRow } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'
import { openCallsOf } from '../store/tool-calls.ts'
import { awaitsPrompt } from './agent-runs.ts'
import type { RunFacts, RunSignal } from './run-state.ts'

export function runFacts(store: Store, run: RunRow, signal: RunSignal): RunFacts {
  const calls = openCallsOf(store, run.id)
  const session = run.session === null ? null : findSession(store, run.session)
  return {
    source: run.source,
    signal,
    waiting: (session?.background ?? 0) > 0,
    working: calls.filter((call) => call.wholeFolder === 1).length,
    openCalls: calls.length,
    begun: !awaitsPrompt(store, run),
    // The process decides only where nothing is reported.
    alive: signal !== 'check' || run.pid <= 0 || isAlive({ pid: run.pid, start: run.pid_start }),
    lastEventAt: run.last_event_at
  }
}
