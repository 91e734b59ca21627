/**
 * Takes an agent's event into the log: before a tool runs the log is made true for what it may change, after it the
 * difference is appended as the call's own (GW-4). Answers in time whatever happens (GW-1, GW-5).
 */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { prepareCached, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { liveRunOf } from '../sessions/agent-runs.ts'
import { findSession, todosOfSession, updateSession } from '../sessions/sessions.ts'
import { normalizeEvent } from './adapters.ts'
import { type AgentAction, isAgent } from './agent-action.ts'
import type { HookEvent } from './hook-event.ts'
import {
  commitAction,
  type GatewayContext,
  type IngestContext,
  scanForCheckpoint,
  touchSession
} from './ingest-context.ts'
import { changeMode, withTodo } from './session-state.ts'
import { readTestNonce } from './test-event.ts'
import { handleToolEnd, handleToolStart, openToolCall } from './tool-events.ts'
import { handleInterrupt, handlePrompt, handleStop } from './turn-events.ts'
import { findWorkspace } from './workspace-paths.ts'

/** An answer later than this would keep an agent waiting; the hook's own deadline is 2 s. */
const MAX_REPLY_MS = 1700
const EVENT_ID_LIFETIME_MS = 7 * 24 * 3600_000

/** Resolves when the agent may go on. `taken` is false for noise, folders that are not recorded, and repeats. */
export async function ingestEvent(
  gateway: GatewayContext,
  hookEvent: HookEvent,
  fromSpool = false
): Promise<{ readonly taken: boolean }> {
  if (!isAgent(hookEvent.agent)) return { taken: false }
  const test = readTestNonce(hookEvent.payload)
  if (test !== null) {
    gateway.registry.recordAgentTest(hookEvent.agent, test, gateway.clock.now())
    return { taken: true }
  }
  const event = normalizeEvent(hookEvent.agent, hookEvent.event, hookEvent.payload)
  if (!event) return { taken: false }
  gateway.registry.recordAgentEvent(hookEvent.agent, hookEvent.at)
  if (event.actions.length === 0) return { taken: false }
  const recorder = findWorkspace(gateway.registry, hookEvent.project ?? null, event.origin.cwd)
  if (!recorder) return { taken: false }
  const ingest: IngestContext = {
    gateway,
    recorder,
    hookEvent,
    agent: hookEvent.agent,
    origin: event.origin,
    fromSpool,
    repliedEarly: false,
    callOpened: false,
    isFinalAction: false,
    recorded: false,
    rescanAfterReply: false
  }
  const answer = Promise.withResolvers<void>()
  const work = recorder.lock.run(async () => {
    if (wasIngested(ingest)) return
    if (event.origin.mode !== null && event.origin.subagent === null) await changeMode(ingest, event.origin.mode)
    for (const [index, one] of event.actions.entries()) {
      ingest.isFinalAction = index === event.actions.length - 1
      await ingestAction(ingest, one)
    }
    if (!ingest.recorded) commitAction(ingest, () => {})
    recorder.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
    answer.resolve()
    if (ingest.rescanAfterReply) await checkDisk(recorder, 'position')
  })
  if (fromSpool) await work
  else await waitForReply(gateway.clock, work, answer.promise, () => handleMissedDeadline(ingest, event.actions))
  return { taken: true }
}

/** Waits for the answer, but not longer than the agent may wait. Work that goes on reports its own failure. */
async function waitForReply(
  clock: Clock,
  work: Promise<void>,
  answer: Promise<void>,
  onMiss: () => void
): Promise<void> {
  let cancel = (): void => {}
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.setTimeout(() => resolve('late'), MAX_REPLY_MS)
  })
  const first = await Promise.race([Promise.race([answer, work]).then(() => 'answered' as const), late])
  cancel()
  if (first === 'late') onMiss()
  work.catch((error: unknown) =>
    console.error(
      `driftline: an agent's event was not recorded to its end: ${error instanceof Error ? error.message : error}`
    )
  )
}

/** [GW-5] The tool runs now although the folder has not been compared: the run says so, and only newer changes count as the tool's. */
function handleMissedDeadline(ingest: IngestContext, happened: readonly AgentAction[]): void {
  ingest.repliedEarly = true
  const start = happened.find((one) => one.kind === 'tool-start')
  if (!start || start.use.writeScope === 'nothing' || ingest.callOpened) return
  const { store } = ingest.recorder
  const session = findSession(store, ingest.origin.session)
  const run = liveRunOf(ingest.recorder, session)
  if (!session || !run) return
  write(store.db, () => openToolCall(ingest, session, run, start.use, false))
}

async function ingestAction(ingest: IngestContext, one: AgentAction): Promise<void> {
  const { recorder, fromSpool } = ingest
  const { store } = recorder
  switch (one.kind) {
    case 'session-start':
      commitAction(ingest, () => {
        touchSession(ingest)
        prepareCached(store.db, 'DELETE FROM taken_event WHERE at < ?').run(recorder.now() - EVENT_ID_LIFETIME_MS)
      })
      return
    case 'prompt':
      return handlePrompt(ingest, { text: one.text, source: one.id ? `prompt:${one.id}` : ingest.hookEvent.id })
    case 'continue':
    case 'boundary':
      if (!fromSpool) await checkDisk(recorder, 'present')
      return
    case 'tool-start':
      return handleToolStart(ingest, one.use)
    case 'tool-end':
      return handleToolEnd(ingest, one)
    case 'stop':
      return handleStop(ingest, one.message, one.background)
    case 'interrupt':
    case 'session-end':
      return handleInterrupt(ingest, one.kind)
    case 'compact': {
      if (!fromSpool) await scanForCheckpoint(ingest, 'beginning')
      const session = findSession(store, ingest.origin.session)
      if (!session) return
      commitAction(ingest, () => {
        addCheckpoint(
          recorder,
          { reason: 'compact', run: session.run, turn: session.turn, session: session.id },
          recorder.now()
        )
      })
      return
    }
    case 'mode':
      return changeMode(ingest, one.mode)
    case 'plan':
      commitAction(ingest, () => updateSession(store, touchSession(ingest).id, { plan: one.text }))
      return
    case 'todos':
      commitAction(ingest, () => updateSession(store, touchSession(ingest).id, { todos: JSON.stringify(one.todos) }))
      return
    case 'todo':
      commitAction(ingest, () => {
        const session = touchSession(ingest)
        updateSession(store, session.id, { todos: JSON.stringify(withTodo(todosOfSession(session), one)) })
      })
      return
  }
}

function wasIngested(ingest: IngestContext): boolean {
  const { store } = ingest.recorder
  return prepareCached(store.db, 'SELECT 1 FROM taken_event WHERE id = ?').get(ingest.hookEvent.id) !== undefined
}
