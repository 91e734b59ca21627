/** One event on its way into the log, and what every step of taking it needs. */
import type { EngineEvents } from '../../../contract/api.ts'
import { bumpRev, prepared, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { notePosition } from '../sessions/position.ts'
import { findRun, type RunRow } from '../sessions/runs.ts'
import { type SessionRow, seenSession } from '../sessions/sessions.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { AgentEvent } from './event.ts'
import type { Told } from './told.ts'

export interface GatewayContext {
  readonly registry: Registry
  readonly clock: Clock
  emit(event: 'run.ended', payload: EngineEvents['run.ended']): void
}

export interface Taking {
  readonly context: GatewayContext
  readonly recorder: OpenWorkspace
  readonly told: Told
  readonly agent: string
  readonly origin: AgentEvent['origin']
  /** From the spool: what it speaks of is over. */
  readonly late: boolean
  /** The answer went out before the work was done. */
  missed: boolean
  opened: boolean
  /** The event's last happening is being taken; it was noted as taken. */
  last: boolean
  noted: boolean
  /** Once the agent was answered the whole folder is looked at; nobody else's work comes in between. */
  looksAgain: boolean
}

/** A folder that takes longer is looked at whole by restores, pins and whole runs alone, ms: the agent would wait for it. */
const LONGEST_LOOK_MS = 500

/**
 * [CK-2] A look before a position of an agent's own. At an end the whole folder is looked at, because what no watcher tells
 * of is still the run's. At a beginning the agent waits for what the watcher vouches for, and the rest follows the answer.
 */
export async function lookFor(taking: Taking, moment: 'beginning' | 'end'): Promise<void> {
  const { recorder } = taking
  const whole = recorder.watch?.state().state === 'live' && recorder.scanTook <= LONGEST_LOOK_MS
  await checkDisk(recorder, whole && moment === 'end' ? 'position' : 'present')
  if (whole && moment === 'beginning') taking.looksAgain = true
}

/** What a happening ends with: its rows, and with the event's last one that it was taken, in one durable transaction. */
export function record(taking: Taking, body: () => void): void {
  const { store } = taking.recorder
  write(store.db, () => {
    body()
    if (!taking.last) return
    const now = taking.recorder.now()
    prepared(store.db, 'INSERT OR IGNORE INTO taken_event VALUES (?, ?)').run(taking.told.id, taking.told.at)
    prepared(store.db, 'UPDATE run SET last_event_at = ? WHERE id = (SELECT run FROM session WHERE id = ?)').run(
      now,
      taking.origin.session
    )
    notePosition(store, taking.origin.session, now)
    bumpRev(store.db)
  })
  taking.noted = taking.last
}

/** The run of `driftline run` the agent works in. */
export function outerRun(taking: Taking): RunRow | null {
  const run = taking.told.run ? findRun(taking.recorder.store, taking.told.run) : null
  return run?.state === 'live' && run.hooked === 0 ? run : null
}

/** Call inside a transaction. */
export function seen(taking: Taking): SessionRow {
  const { origin, agent, recorder, told } = taking
  return seenSession(recorder.store, { ...origin, id: origin.session, agent, home: told.home ?? null }, recorder.now())
}
