/** One event on its way into the log, and what every step of ingest it needs. */
import type { EngineEvents } from '../../../contract/api.ts'
import { bumpRev, prepareCached, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { updatePosition } from '../sessions/position.ts'
import { findRun, type RunRow } from '../sessions/runs.ts'
import { type SessionRow, touchSession as touchSessionRow } from '../sessions/sessions.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { AgentEvent } from './agent-action.ts'
import type { HookEvent } from './hook-event.ts'

export interface GatewayContext {
  readonly registry: Registry
  readonly clock: Clock
  emit(event: 'run.ended', payload: EngineEvents['run.ended']): void
}

export interface IngestContext {
  readonly gateway: GatewayContext
  readonly recorder: OpenWorkspace
  readonly hookEvent: HookEvent
  readonly agent: string
  readonly origin: AgentEvent['origin']
  /** From the spool: what it speaks of is over. */
  readonly fromSpool: boolean
  /** The answer went out before the work was done. */
  repliedEarly: boolean
  callOpened: boolean
  /** The event's last happening is being taken; it was noted as taken. */
  isFinalAction: boolean
  recorded: boolean
  /** Once the agent was answered the whole folder is looked at; nobody else's work comes in between. */
  rescanAfterReply: boolean
}

/** A folder that takes longer is looked at whole by restores, pins and whole runs alone, ms: the agent would wait for it. */
const MAX_SCAN_MS = 500

/**
 * [CK-2] A look before a position of an agent's own. At an end the whole folder is looked at, because what no watcher tells
 * of is still the run's. At a beginning the agent waits for what the watcher vouches for, and the rest follows the answer.
 */
export async function scanForCheckpoint(ingest: IngestContext, moment: 'beginning' | 'end'): Promise<void> {
  const { recorder } = ingest
  const whole = recorder.watch?.state().state === 'live' && recorder.lastScanMs <= MAX_SCAN_MS
  await checkDisk(recorder, whole && moment === 'end' ? 'position' : 'present')
  if (whole && moment === 'beginning') ingest.rescanAfterReply = true
}

/** What a happening ends with: its rows, and with the event's last one that it was taken, in one durable transaction. */
export function commitAction(ingest: IngestContext, body: () => void): void {
  const { store } = ingest.recorder
  write(store.db, () => {
    body()
    if (!ingest.isFinalAction) return
    const now = ingest.recorder.now()
    prepareCached(store.db, 'INSERT OR IGNORE INTO taken_event VALUES (?, ?)').run(
      ingest.hookEvent.id,
      ingest.hookEvent.at
    )
    prepareCached(store.db, 'UPDATE run SET last_event_at = ? WHERE id = (SELECT run FROM session WHERE id = ?)').run(
      now,
      ingest.origin.session
    )
    updatePosition(store, ingest.origin.session, now)
    bumpRev(store.db)
  })
  ingest.recorded = ingest.isFinalAction
}

/** The run of `driftline run` the agent works in. */
export function findOuterRun(ingest: IngestContext): RunRow | null {
  const run = ingest.hookEvent.run ? findRun(ingest.recorder.store, ingest.hookEvent.run) : null
  return run?.state === 'live' && run.hooked === 0 ? run : null
}

/** Call inside a transaction. */
export function touchSession(ingest: IngestContext): SessionRow {
  const { origin, agent, recorder, hookEvent } = ingest
  return touchSessionRow(
    recorder.store,
    { ...origin, id: origin.session, agent, home: hookEvent.home ?? null },
    recorder.now()
  )
}
