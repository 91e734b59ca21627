/**
 * Ingests hook events of agents. Before a tool runs, the log is brought up to date for the paths it may change; after
 * it, the difference is recorded as the call's own edits (GW-4). The reply is sent in time, whatever happens (GW-1,
 * GW-5); an event that is not recorded by then is in the spool until it is, because its hook forgets it.
 */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import { reviewSetting, takeReview } from '../review/reviews.ts'
import { liveRunOf } from '../runs/agent-runs.ts'
import { deleteIngestedEvents, wasIngested } from '../store/ingested-events.ts'
import { findSession, type SessionRow, todosOfSession, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { type AgentAction, type AgentEvent, type AgentId, isAgent } from './agent-action.ts'
import { answerText, MAX_ANSWER_MS, refusalText, takesText } from './answer.ts'
import { type HookEvent, readTestNonce, type SpooledEvent } from './hook-event.ts'
import {
  commitAction,
  type GatewayContext,
  type IngestContext,
  type IngestState,
  touchSession
} from './ingest-context.ts'
import { normalizeEvent } from './normalize.ts'
import { joinOuterRun } from './outer-run.ts'
import { changeMode, withTodo } from './session-state.ts'
import { spoolUntilRecorded } from './spool-event.ts'
import { handleToolEnd, handleToolStart, openIncompleteCall } from './tool-events.ts'
import { isUsablePath } from './tool-use.ts'
import { handleInterrupt, handlePrompt, handleStop } from './turn-events.ts'
import { findWorkspace, toWorkspacePaths } from './workspace-paths.ts'

/** The reply is sent at the latest after this time: before the hook's own deadline. */
const MAX_REPLY_MS = 1600
/** Ids of ingested events are kept this long, to recognise repeats. */
const EVENT_ID_LIFETIME_MS = 7 * 24 * 3600_000

/**
 * Resolves when the agent may continue. `ingested` is false for irrelevant events, folders that are not recorded, and
 * repeats. `answer`: what the hook prints. An event from the spool is in the past, and nobody waits for the reply.
 */
export async function ingestEvent(
  gateway: GatewayContext,
  hookEvent: HookEvent | SpooledEvent,
  from: 'hook' | 'spool' = 'hook'
): Promise<{ readonly ingested: boolean; readonly answer?: string }> {
  if (!isAgent(hookEvent.agent)) return { ingested: false }
  const test = readTestNonce(hookEvent.payload)
  if (test !== null) {
    gateway.registry.recordAgentTest(hookEvent.agent, test, gateway.clock.now())
    return { ingested: true }
  }
  const event = normalizeEvent(hookEvent.agent, hookEvent.event, hookEvent.payload)
  if (!event) return { ingested: false }
  gateway.registry.recordAgentEvent(hookEvent.agent, hookEvent.at)
  if (event.actions.length === 0) return { ingested: false }
  const workspace = await workspaceOf(gateway, hookEvent.project ?? null, event.origin.cwd)
  if (!workspace) return { ingested: false }
  const { origin } = event
  const state: IngestState = { actions: 'earlier', repliedAt: null, call: 'none', refusal: null }
  const { store, root } = workspace
  const fromSpool = from === 'spool'
  const past = fromSpool ? pastOf(hookEvent, root) : PRESENT
  const ingest: IngestContext = { gateway, workspace, store, hookEvent, origin, fromSpool, ...past, state }
  const work = workspace.lock.run(async () => {
    if (wasIngested(workspace.store, hookEvent.id)) return
    await joinOuterRun(ingest)
    if (origin.mode !== null && origin.subagent === null) await changeMode(ingest, origin.mode)
    for (const [index, action] of event.actions.entries()) {
      if (index === event.actions.length - 1) state.actions = 'last'
      await ingestAction(ingest, action)
    }
    if (state.actions !== 'committed') commitAction(ingest, () => {})
    workspace.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
    if (findSession(store, origin.session)?.behind) workspace.catchUp()
  })
  if (fromSpool) {
    await work
    return { ingested: true }
  }
  const isInTime = await waitForReply(gateway.clock, work, () => {
    keepUntilRecorded(gateway, hookEvent, work)
    handleMissedDeadline(ingest, event.actions)
  })
  const answer = isInTime && state.actions === 'committed' ? answerFor(ingest, hookEvent.agent, event) : null
  return { ingested: true, ...(answer === null ? {} : { answer }) }
}

/** [WT-2] An agent may work in a worktree that git made a moment ago. */
async function workspaceOf({ registry, worktrees }: GatewayContext, project: string | null, cwd: string) {
  const found = findWorkspace(registry, project, cwd)
  const folder = project ?? cwd
  // A path that no system opens may have more parents than can be searched for a repository.
  if (found || !isUsablePath(folder)) return found
  await worktrees.recordAround(folder)
  return findWorkspace(registry, project, cwd)
}

/** What the hook prints; null for nothing. A message waits while a tool is refused. */
function answerFor(ingest: IngestContext, agent: AgentId, event: AgentEvent): string | null {
  const { state, hookEvent } = ingest
  return state.refusal === null ? reviewFor(ingest, agent, event) : refusalText(agent, hookEvent.event, state.refusal)
}

/** [RV-4] The message that waits for this session, in the form its agent takes with this event; null without one. */
function reviewFor(
  { gateway, workspace, store, origin, hookEvent }: IngestContext,
  agent: AgentId,
  { actions }: AgentEvent
) {
  if (origin.subagent !== null || !takesText(agent, actions)) return null
  if (gateway.clock.now() - hookEvent.at > MAX_ANSWER_MS) return null
  const session = findSession(store, origin.session)
  if (!session) return null
  const review = transact(store, (tx) =>
    takeReview(tx, session, { route: 'prompt', setting: reviewSetting(workspace, agent), at: workspace.now() })
  )
  if (!review) return null
  workspace.notifyChanged(['reviews'])
  return answerText(agent, hookEvent.event, review.message)
}

type Past = Pick<IngestContext, 'images' | 'transcriptEnd'>
const PRESENT: Past = { images: new Map(), transcriptEnd: undefined }

/** What a spooled event was saved with. */
function pastOf({ images = [], transcriptEnd }: SpooledEvent, root: string): Past {
  const named = images.flatMap(({ path, signature, file }) =>
    toWorkspacePaths(root, root, [path]).map((name) => [name, { signature, file: file ?? '' }] as const)
  )
  return { images: new Map(named), transcriptEnd }
}

/** Waits for the reply, at most MAX_REPLY_MS; false when that was too short. Work that continues afterwards logs its own failure. */
async function waitForReply(clock: Clock, work: Promise<void>, onMiss: () => void): Promise<boolean> {
  const late = Promise.withResolvers<'late'>()
  const cancel = clock.setTimeout(() => late.resolve('late'), MAX_REPLY_MS)
  const first = await Promise.race([work, late.promise])
  cancel()
  if (first === 'late') onMiss()
  work.catch((error: unknown) => log.error("an agent's event was only partly recorded", error))
  return first !== 'late'
}

/**
 * [GW-1] A recorder that is killed before the work is done finds the event in the spool at its next start. So does a
 * later replay of this one if the work fails.
 */
function keepUntilRecorded({ options, unrecorded }: GatewayContext, hookEvent: HookEvent, work: Promise<void>): void {
  const remove = spoolUntilRecorded(options.dataDir, hookEvent)
  unrecorded.add(hookEvent.id)
  const end = (): boolean => unrecorded.delete(hookEvent.id)
  work.then(remove).then(end, end)
}

/**
 * [GW-5] The tool starts now, before the folder was compared with the log. Its call is opened as incomplete; only
 * changes found from here on count as the tool's.
 */
function handleMissedDeadline(ingest: IngestContext, actions: readonly AgentAction[]): void {
  ingest.state.repliedAt = ingest.workspace.now()
  const start = actions.find((action) => action.kind === 'tool-start')
  if (!start || start.use.writeScope === 'nothing') return
  const { store } = ingest
  const session = findSession(store, ingest.origin.session)
  const run = liveRunOf(store, session)
  // Without a run its prompt is still being ingested, and the call is opened right after it.
  if (run) openIncompleteCall(ingest, run, start.use)
}

async function ingestAction(ingest: IngestContext, action: AgentAction): Promise<void> {
  const { workspace, store, fromSpool } = ingest
  switch (action.kind) {
    case 'session-start':
      commitAction(ingest, (tx) => {
        touchSession(tx, ingest)
        deleteIngestedEvents(tx, workspace.now() - EVENT_ID_LIFETIME_MS)
      })
      return
    case 'prompt':
      return handlePrompt(ingest, {
        text: action.text,
        source: action.id ? `prompt:${action.id}` : ingest.hookEvent.id
      })
    case 'continue':
    case 'boundary':
      if (!fromSpool) await checkDisk(workspace, 'present')
      return
    case 'tool-start':
      return handleToolStart(ingest, action.use)
    case 'tool-end':
      return handleToolEnd(ingest, action)
    case 'stop':
      return handleStop(ingest, action.message, action.background)
    case 'interrupt':
    case 'session-end':
      return handleInterrupt(ingest, action.kind)
    case 'compact': {
      if (!fromSpool) await checkDisk(workspace, 'position')
      const session = findSession(store, ingest.origin.session)
      if (!session) return
      commitAction(ingest, (tx) => {
        addCheckpoint(
          tx,
          workspace.root,
          { reason: 'compact', run: session.run, turn: session.turn, session: session.id },
          workspace.now()
        )
      })
      return
    }
    case 'mode':
      return changeMode(ingest, action.mode)
    case 'plan':
      return updateFromAction(ingest, () => ({ plan: action.text }))
    case 'todos':
      return updateFromAction(ingest, () => ({ todos: JSON.stringify(action.todos) }))
    case 'todo':
      return updateFromAction(ingest, (session) => ({
        todos: JSON.stringify(withTodo(todosOfSession(session), action))
      }))
  }
}

function updateFromAction(
  ingest: IngestContext,
  change: (session: SessionRow) => Pick<Partial<SessionRow>, 'plan' | 'todos'>
): void {
  commitAction(ingest, (tx) => {
    const session = touchSession(tx, ingest)
    updateSession(tx, session.id, change(session))
  })
}
