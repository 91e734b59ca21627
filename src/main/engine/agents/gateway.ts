/**
 * Takes an agent's event into the log: before a tool runs the log is made true for what it may change, after it the
 * difference is appended as the call's own (GW-4). Answers in time whatever happens (GW-1, GW-5).
 */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { prepared, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import type { Clock } from '../ports/clock.ts'
import { liveRunOf } from '../sessions/hooked-runs.ts'
import { findSession, todosOfSession, updateSession } from '../sessions/sessions.ts'
import { translateEvent } from './adapters.ts'
import { type Happening, isAgent } from './event.ts'
import { workspaceOf } from './place.ts'
import { changeMode, withTodo } from './session-state.ts'
import { type GatewayContext, lookFor, record, seen, type Taking } from './taking.ts'
import { testOf } from './test-event.ts'
import type { Told } from './told.ts'
import { startCall, toolEnded, toolStarted } from './tool-events.ts'
import { cutOff, prompted, stopped } from './turn-events.ts'

/** An answer later than this would keep an agent waiting; the hook's own deadline is 2 s. */
const ANSWER_MS = 1700
const FORGET_EVENTS_MS = 7 * 24 * 3600_000

/** Resolves when the agent may go on. `taken` is false for noise, folders that are not recorded, and repeats. */
export async function takeEvent(
  context: GatewayContext,
  told: Told,
  late = false
): Promise<{ readonly taken: boolean }> {
  if (!isAgent(told.agent)) return { taken: false }
  const test = testOf(told.payload)
  if (test !== null) {
    context.registry.tested(told.agent, test, context.clock.now())
    return { taken: true }
  }
  const event = translateEvent(told.agent, told.event, told.payload)
  if (!event) return { taken: false }
  context.registry.heardOf(told.agent, told.at)
  if (event.happened.length === 0) return { taken: false }
  const recorder = workspaceOf(context.registry, told.project ?? null, event.origin.cwd)
  if (!recorder) return { taken: false }
  const taking: Taking = {
    context,
    recorder,
    told,
    agent: told.agent,
    origin: event.origin,
    late,
    missed: false,
    opened: false,
    last: false,
    noted: false,
    looksAgain: false
  }
  const answer = Promise.withResolvers<void>()
  const work = recorder.lock.run(async () => {
    if (wasTaken(taking)) return
    if (event.origin.mode !== null && event.origin.subagent === null) await changeMode(taking, event.origin.mode)
    for (const [index, one] of event.happened.entries()) {
      taking.last = index === event.happened.length - 1
      await take(taking, one)
    }
    if (!taking.noted) record(taking, () => {})
    recorder.changed(['runs', 'checkpoints', 'status', 'sessions'])
    answer.resolve()
    if (taking.looksAgain) await checkDisk(recorder, 'position')
  })
  if (late) await work
  else await inTime(context.clock, work, answer.promise, () => missDeadline(taking, event.happened))
  return { taken: true }
}

/** Waits for the answer, but not longer than the agent may wait. Work that goes on reports its own failure. */
async function inTime(clock: Clock, work: Promise<void>, answer: Promise<void>, onMiss: () => void): Promise<void> {
  let cancel = (): void => {}
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.setTimeout(() => resolve('late'), ANSWER_MS)
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
function missDeadline(taking: Taking, happened: readonly Happening[]): void {
  taking.missed = true
  const start = happened.find((one) => one.kind === 'tool-start')
  if (!start || start.use.reach === 'nothing' || taking.opened) return
  const { store } = taking.recorder
  const session = findSession(store, taking.origin.session)
  const run = liveRunOf(taking.recorder, session)
  if (!session || !run) return
  write(store.db, () => startCall(taking, session, run, start.use, false))
}

async function take(taking: Taking, one: Happening): Promise<void> {
  const { recorder, late } = taking
  const { store } = recorder
  switch (one.kind) {
    case 'session-start':
      record(taking, () => {
        seen(taking)
        prepared(store.db, 'DELETE FROM taken_event WHERE at < ?').run(recorder.now() - FORGET_EVENTS_MS)
      })
      return
    case 'prompt':
      return prompted(taking, { text: one.text, source: one.id ? `prompt:${one.id}` : taking.told.id })
    case 'continue':
    case 'boundary':
      if (!late) await checkDisk(recorder, 'present')
      return
    case 'tool-start':
      return toolStarted(taking, one.use)
    case 'tool-end':
      return toolEnded(taking, one)
    case 'stop':
      return stopped(taking, one.message, one.background)
    case 'interrupt':
    case 'session-end':
      return cutOff(taking, one.kind)
    case 'compact': {
      if (!late) await lookFor(taking, 'beginning')
      const session = findSession(store, taking.origin.session)
      if (!session) return
      record(taking, () => {
        addCheckpoint(
          recorder,
          { reason: 'compact', run: session.run, turn: session.turn, session: session.id },
          recorder.now()
        )
      })
      return
    }
    case 'mode':
      return changeMode(taking, one.mode)
    case 'plan':
      record(taking, () => updateSession(store, seen(taking).id, { plan: one.text }))
      return
    case 'todos':
      record(taking, () => updateSession(store, seen(taking).id, { todos: JSON.stringify(one.todos) }))
      return
    case 'todo':
      record(taking, () => {
        const session = seen(taking)
        updateSession(store, session.id, { todos: JSON.stringify(withTodo(todosOfSession(session), one)) })
      })
      return
  }
}

function wasTaken(taking: Taking): boolean {
  const { store } = taking.recorder
  return prepared(store.db, 'SELECT 1 FROM taken_event WHERE id = ?').get(taking.told.id) !== undefined
}
