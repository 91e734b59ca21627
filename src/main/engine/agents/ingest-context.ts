/**
 * The state of one hook event while it is ingested, and the steps all actions share: scan, commit, touch the session.
 * An IngestContext lives for one event and is used inside the workspace's lock.
 */
import type { EngineEvents } from '../../../contract/api.ts'
import { bumpRev, prepareCached, type Sync, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { updatePosition } from '../runs/position.ts'
import { findRun, type RunRow } from '../store/runs.ts'
import { type SessionRow, touchSession as touchSessionRow } from '../store/sessions.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { AgentEvent } from './agent-action.ts'
import type { HookEvent } from './hook-event.ts'

/** What the gateway needs of the engine. */
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
  /** Read from the spool: the event is in the past, so the disk does not show what it is about. */
  readonly fromSpool: boolean
  /** The reply was sent before the work was done: the tool may be running already. */
  repliedEarly: boolean
  /** This event's tool call has been opened; it must not be opened again. */
  callOpened: boolean
  /** The action being ingested is the event's last one. */
  isFinalAction: boolean
  /** The event's id has been committed with its last action. */
  recorded: boolean
  /** Scan the whole folder after the reply, before the next holder of the workspace's lock. */
  rescanAfterReply: boolean
}

/**
 * Longest last scan at which an agent's checkpoint still scans the whole folder, ms: the agent waits for it. In slower
 * folders only restores, pins and `driftline run` scan everything.
 */
const MAX_SCAN_MS = 500

/**
 * [CK-2] Brings the log up to date before a checkpoint. At the end of a turn the whole folder is scanned, because changes
 * that the watcher does not report (memory mappings, hard links) still belong to the run. At a start the agent waits for
 * the watcher's dirty paths only; the whole scan follows the reply.
 */
export async function scanForCheckpoint(ingest: IngestContext, moment: 'start' | 'end'): Promise<void> {
  const { recorder } = ingest
  const scansAll = recorder.watch?.state().state === 'live' && recorder.lastScanMs <= MAX_SCAN_MS
  await checkDisk(recorder, scansAll && moment === 'end' ? 'position' : 'present')
  if (scansAll && moment === 'start') ingest.rescanAfterReply = true
}

/**
 * Commits the rows of one action in one durable transaction and returns what `body` returns. The event's last action also
 * commits the event's id, so that the same event is never ingested twice, and never lost between the two.
 */
export function commitAction<T>(ingest: IngestContext, body: () => Sync<T>): T {
  const { store } = ingest.recorder
  const result = write<T>(store.db, () => {
    const result = body()
    if (ingest.isFinalAction) recordEvent(ingest)
    return result
  })
  ingest.recorded = ingest.isFinalAction
  return result
}

/** Call inside a transaction. */
function recordEvent({ recorder, hookEvent, origin }: IngestContext): void {
  const { store } = recorder
  const now = recorder.now()
  prepareCached(store.db, 'INSERT OR IGNORE INTO taken_event VALUES (?, ?)').run(hookEvent.id, hookEvent.at)
  prepareCached(store.db, 'UPDATE run SET last_event_at = ? WHERE id = (SELECT run FROM session WHERE id = ?)').run(
    now,
    origin.session
  )
  updatePosition(store, origin.session, now)
  bumpRev(store.db)
}

/** The live run of `driftline run` that the agent was started in. */
export function findOuterRun(ingest: IngestContext): RunRow | null {
  const run = ingest.hookEvent.run ? findRun(ingest.recorder.store, ingest.hookEvent.run) : null
  return run?.state === 'live' && run.hooked === 0 ? run : null
}

/** Creates or updates the session's row from the event. Call inside a transaction. */
export function touchSession(ingest: IngestContext): SessionRow {
  const { origin, agent, recorder, hookEvent } = ingest
  return touchSessionRow(
    recorder.store,
    { ...origin, id: origin.session, agent, home: hookEvent.home ?? null },
    recorder.now()
  )
}
