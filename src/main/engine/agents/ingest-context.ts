/**
 * The state of one hook event while it is ingested, and the steps all actions share: scan, commit, touch the session.
 * An IngestContext lives for one event and is used inside the workspace's lock.
 */
import type { EngineEvents } from '../../../contract/api.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import type { Images } from '../files/workspace-fs.ts'
import type { Clock } from '../ports/clock.ts'
import { updatePosition } from '../runs/position.ts'
import { touchSession as touchSessionRow } from '../runs/session-rows.ts'
import { insertIngestedEvent } from '../store/ingested-events.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { touchRunOfSession } from '../store/runs.ts'
import type { SessionRow } from '../store/sessions.ts'
import { type Sync, transact, type Writable } from '../store/sql.ts'
import type { AgentEvent } from './agent-action.ts'
import type { AgentWorkspace, AgentWorkspaces } from './agent-workspace.ts'
import type { HookEvent } from './hook-event.ts'

/** What the gateway needs of the engine. */
export interface GatewayContext {
  readonly registry: AgentWorkspaces
  readonly clock: Clock
  readonly options: { readonly dataDir: string }
  /** Records the worktree that contains a folder, if a person agreed to it. */
  readonly worktrees: { recordAround(folder: string): Promise<void> }
  /** Ids of the spooled events that this process is recording: a replay leaves them alone. */
  readonly unrecorded: Set<string>
  emit(event: 'run.ended', payload: EngineEvents['run.ended']): void
}

export interface IngestContext {
  readonly gateway: GatewayContext
  readonly workspace: AgentWorkspace
  readonly store: Store
  readonly hookEvent: HookEvent
  readonly origin: AgentEvent['origin']
  /** Read from the spool: the event is in the past, so the disk does not show what it is about. */
  readonly fromSpool: boolean
  /** The files that a spooled event names, as they were at its time, by root-relative path. */
  readonly images: Images
  /** Where the transcript ended when a spooled event was saved, bytes; what follows belongs to later events. */
  readonly transcriptEnd: number | undefined
  readonly state: IngestState
}

/**
 * How far one event is. Each field changes at most once per value, in this direction:
 *
 *   actions     earlier -> last        the gateway begins the event's last action
 *               last -> committed      commitAction: the event's id is in the log, with that action
 *   repliedAt   null -> ms             the deadline passed before the work was done (GW-5)
 *   call        none -> opened         openToolCall, by the event's own work or at the missed deadline: never both
 */
export interface IngestState {
  actions: 'earlier' | 'last' | 'committed'
  /** When the reply was sent before the work was done, ms UTC: the tool may be running since then. */
  repliedAt: number | null
  call: 'none' | 'opened'
  /** Why the tool must not run (RV-7): its call is not opened then. */
  refusal: string | null
}

/** A spooled event is in the past: what changed on disk after it belongs to later events. */
export function asOf({ fromSpool, hookEvent }: IngestContext): { readonly notAfter?: number } {
  return fromSpool ? { notAfter: hookEvent.at } : {}
}

/**
 * [CP-1] Brings the log up to date for the paths that a tool names: to the disk now, or, for a spooled event, to what
 * its hook found. Returns true unless versions may be missing.
 */
export async function checkToolPaths(
  ingest: IngestContext,
  paths: readonly string[],
  moment: 'start' | 'end'
): Promise<boolean> {
  const { workspace, images, fromSpool } = ingest
  if (!fromSpool) {
    await checkNamedPaths(workspace, paths)
    return true
  }
  const known = paths.filter((path) => images.has(path))
  await checkNamedPaths(workspace, known, { images })
  // The tool has worked since its start, so the disk shows only what it left.
  const others = paths.filter((path) => !images.has(path))
  if (moment === 'end') await checkNamedPaths(workspace, others, asOf(ingest))
  return others.length === 0
}

/**
 * Commits the rows of one action in one durable transaction and returns what `body` returns. The event's last action
 * also commits the event's id, so that the same event is never ingested twice, and never lost between the two.
 */
export function commitAction<T>(ingest: IngestContext, body: (tx: Writable<Store>) => Sync<T>): T {
  const { state } = ingest
  const result = transact<Store, T>(ingest.workspace.store, (tx) => {
    const result = body(tx)
    if (state.actions !== 'earlier') recordEvent(tx, ingest)
    return result
  })
  if (state.actions === 'last') state.actions = 'committed'
  return result
}

function recordEvent(tx: Writable<Store>, { workspace, hookEvent, origin }: IngestContext): void {
  const now = workspace.now()
  insertIngestedEvent(tx, hookEvent.id, hookEvent.at)
  touchRunOfSession(tx, origin.session, now)
  updatePosition(tx, origin.session)
  bumpRev(tx)
}

/** Creates or updates the session's row from the event. */
export function touchSession(tx: Writable<Store>, ingest: IngestContext): SessionRow {
  const { origin, workspace, hookEvent } = ingest
  const { agent, home = null } = hookEvent
  return touchSessionRow(tx, { ...origin, id: origin.session, agent, home }, workspace.now())
}
