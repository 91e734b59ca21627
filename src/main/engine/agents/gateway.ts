/**
 * Takes an agent's event into the log: before a tool runs the log is made true for what it may change, after it the
 * difference is appended as the call's own (GW-4). Answers in time whatever happens (GW-1, GW-5).
 */
import type { EngineEvents } from '../../../contract/api.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { checkNamed } from '../drift/named-paths.ts'
import type { Clock } from '../ports/clock.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { endRun } from '../sessions/end-run.ts'
import { isUnnamed, liveRunOf, namePrompt, openHookedRun, openTurn, type Prompt } from '../sessions/hooked-runs.ts'
import { addMessage, toldBy } from '../sessions/messages.ts'
import { notePosition } from '../sessions/position.ts'
import { findRun, type RunRow } from '../sessions/runs.ts'
import {
  findSession,
  type SessionRow,
  type StoredTodo,
  seenSession,
  todosOfSession,
  updateSession
} from '../sessions/sessions.ts'
import { abandonCalls, closeCall, findOpenCall, keepWorking, openCall, openCallsOf } from '../sessions/tool-calls.ts'
import type { OpenWorkspace } from '../workspaces/open-workspace.ts'
import type { Registry } from '../workspaces/registry.ts'
import { translateEvent } from './adapters.ts'
import { type AgentEvent, type Happening, isAgent, type ToolUse } from './event.ts'
import { namedInside, workspaceOf } from './place.ts'
import { testOf } from './test-event.ts'
import type { Told } from './told.ts'
import { readTranscript } from './transcript.ts'

export interface GatewayContext {
  readonly registry: Registry
  readonly clock: Clock
  emit(event: 'run.ended', payload: EngineEvents['run.ended']): void
}

/** An answer later than this would keep an agent waiting; the hook's own deadline is 2 s. */
const ANSWER_MS = 1700
const FORGET_EVENTS_MS = 7 * 24 * 3600_000

interface Taking {
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
}

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
    opened: false
  }
  const work = recorder.lock.run(async () => {
    if (wasTaken(taking)) return
    for (const one of event.happened) await take(taking, one)
    write(recorder.store.db, () => {
      recorder.store.db.prepare('INSERT OR IGNORE INTO taken_event VALUES (?, ?)').run(told.id, told.at)
      recorder.store.db
        .prepare('UPDATE run SET last_event_at = ? WHERE id = (SELECT run FROM session WHERE id = ?)')
        .run(recorder.now(), event.origin.session)
      notePosition(recorder.store, event.origin.session, recorder.now())
      bumpRev(recorder.store.db)
    })
    recorder.changed(['runs', 'checkpoints', 'status', 'sessions'])
  })
  if (late) await work
  else await inTime(context.clock, work, () => missDeadline(taking, event.happened))
  return { taken: true }
}

/** Waits for the work, but not longer than the agent may wait. Work that goes on reports its own failure. */
async function inTime(clock: Clock, work: Promise<void>, onMiss: () => void): Promise<void> {
  let cancel = (): void => {}
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.setTimeout(() => resolve('late'), ANSWER_MS)
  })
  const first = await Promise.race([work.then(() => 'done' as const), late])
  cancel()
  if (first === 'done') return
  onMiss()
  work.catch((error: unknown) =>
    console.error(`driftline: an agent's event was not recorded: ${error instanceof Error ? error.message : error}`)
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
      write(store.db, () => {
        seen(taking)
        store.db.prepare('DELETE FROM taken_event WHERE at < ?').run(recorder.now() - FORGET_EVENTS_MS)
      })
      return
    case 'prompt':
      return prompted(taking, { text: one.text, source: one.id ? `prompt:${one.id}` : taking.told.id })
    case 'continue':
    case 'boundary':
      if (!late) await checkDisk(recorder, 'boundary')
      return
    case 'tool-start':
      return toolStarted(taking, one.use)
    case 'tool-end':
      return toolEnded(taking, one)
    case 'stop':
      return stopped(taking, one.message, one.background)
    case 'interrupt':
    case 'session-end': {
      await checkDisk(recorder, 'boundary')
      const session = write(store.db, () => seen(taking))
      const run = liveRunOf(recorder, session)
      readTranscript(recorder, session.id)
      if (run && run.hooked === 1) finish(taking, run, 'cancelled')
      if (one.kind === 'session-end')
        write(store.db, () =>
          updateSession(store, session.id, { ended_at: recorder.now(), run: null, turn: null, phase: 'stopped' })
        )
      return
    }
    case 'compact': {
      if (!late) await checkDisk(recorder, 'boundary')
      const session = findSession(store, taking.origin.session)
      if (!session?.run) return
      write(store.db, () => {
        addCheckpoint(
          store,
          { reason: 'compact', run: session.run, turn: session.turn, session: session.id },
          recorder.now()
        )
      })
      return
    }
    case 'todos':
      write(store.db, () => updateSession(store, seen(taking).id, { todos: JSON.stringify(one.todos) }))
      return
    case 'todo':
      write(store.db, () => {
        const session = seen(taking)
        updateSession(store, session.id, { todos: JSON.stringify(withTodo(todosOfSession(session), one)) })
      })
      return
  }
}

/** [section 10] A prompt opens a run; while background work is open, or inside `driftline run`, it opens a turn. */
async function prompted(taking: Taking, prompt: Prompt): Promise<void> {
  const { recorder, late } = taking
  const { store } = recorder
  if (!late) {
    await endDeadRuns(recorder)
    await checkDisk(recorder, 'boundary')
  }
  const before = findSession(store, taking.origin.session)
  const live = liveRunOf(recorder, before)
  // Two registrations of the hooks tell everything twice.
  const known = store.db
    .prepare('SELECT 1 FROM message WHERE session = ? AND source = ?')
    .get(taking.origin.session, toldBy(prompt.source))
  if (live && known) return
  const outer = outerRun(taking)
  const inside = live ?? outer
  // An interrupt tells nothing: the next prompt ends what it interrupted.
  const interrupted = live && live.hooked === 1 && (before?.background ?? 0) === 0 && !isUnnamed(recorder, live)
  if (before) readTranscript(recorder, before.id, prompt.text)
  if (interrupted) finish(taking, live, 'cancelled')
  write(store.db, () => {
    const session = seen(taking)
    if (interrupted || !inside) openHookedRun(recorder, session, prompt, taking.told.process, late)
    else if (isUnnamed(recorder, inside)) namePrompt(recorder, session, inside, prompt)
    else {
      abandonCalls(store, inside.id, false, recorder.now())
      openTurn(recorder, session, inside, prompt)
    }
  })
  if (before) readTranscript(recorder, before.id)
}

async function toolStarted(taking: Taking, use: ToolUse): Promise<void> {
  const { recorder, late } = taking
  const { store } = recorder
  const run = await workingRun(taking, use)
  if (!run || findOpenCall(store, taking.origin.session, { ...use, call: use.call ?? NO_CALL }, taking.origin.subagent))
    return
  if (!late) {
    if (use.reach === 'folder') await checkDisk(recorder, 'boundary')
    if (use.reach !== 'nothing') await checkNamed(recorder, insideOf(taking, use))
  }
  if (taking.opened) return
  write(store.db, () => startCall(taking, seen(taking), run, use, !late && !taking.missed))
}

/** No call of ours has this id: a start without an id is never a repeat. */
const NO_CALL = '\0'

/** Call inside a transaction. */
function startCall(taking: Taking, session: SessionRow, run: RunRow, use: ToolUse, complete: boolean): string {
  const { recorder, origin } = taking
  taking.opened = true
  if (!complete && use.reach !== 'nothing') markIncomplete(taking, run.id)
  return openCall(
    recorder.store,
    {
      session: session.id,
      run: run.id,
      turn: session.turn ?? '',
      agentCall: use.call,
      subagent: origin.subagent,
      name: use.tool,
      summary: use.summary,
      paths: insideOf(taking, use),
      reach: use.reach,
      complete
    },
    taking.late ? taking.told.at : recorder.now()
  )
}

async function toolEnded(taking: Taking, end: Extract<Happening, { kind: 'tool-end' }>): Promise<void> {
  const { recorder, origin } = taking
  const { store } = recorder
  const { use } = end
  let call = findOpenCall(store, origin.session, use, origin.subagent)
  if (!call) {
    const repeated =
      use.call !== null &&
      store.db.prepare('SELECT 1 FROM tool_call WHERE session = ? AND agent_call = ?').get(origin.session, use.call)
    if (repeated) return
    // Its start was never told: what it names is still its own, and the run says that something was missed.
    const run = use.reach === 'nothing' ? null : await workingRun(taking, use)
    if (!run) return
    write(store.db, () => startCall(taking, seen(taking), run, { ...use, reach: 'paths' }, false))
    call = findOpenCall(store, origin.session, use, origin.subagent)
    if (!call) return
  }
  if (call.wide === 1 || call.paths !== '[]') {
    await checkNamed(recorder, JSON.parse(call.paths) as string[])
    await checkDisk(recorder, 'boundary')
  }
  const { id } = call
  write(store.db, () => {
    if (end.background) keepWorking(store, id)
    else closeCall(store, id, end.failed ? 'failed' : 'done', recorder.now())
  })
}

async function stopped(taking: Taking, message: string | null, told: number | null): Promise<void> {
  const { recorder } = taking
  const { store } = recorder
  await checkDisk(recorder, 'boundary')
  const session = write(store.db, () => seen(taking))
  const run = liveRunOf(recorder, session)
  readTranscript(recorder, session.id)
  if (message && !isKnown(taking, message))
    write(store.db, () => {
      addMessage(store, session.id, {
        turn: session.turn,
        role: 'assistant',
        text: message,
        at: recorder.now(),
        source: toldBy(`stop:${taking.told.id}`)
      })
    })
  if (!run) return
  const working = told ?? openCallsOf(store, run.id).filter((call) => call.wide === 1).length
  if (working > 0) {
    write(store.db, () => updateSession(store, session.id, { background: working }))
    return
  }
  if (run.hooked === 1) finish(taking, run)
  else
    write(store.db, () => {
      abandonCalls(store, run.id, true, recorder.now())
      updateSession(store, session.id, { phase: 'stopped', background: 0 })
    })
}

/** The transcript told it already: an agent's last words may hold everything it said in the turn. */
function isKnown(taking: Taking, message: string): boolean {
  const last = taking.recorder.store.db
    .prepare("SELECT text FROM message WHERE session = ? AND role = 'assistant' ORDER BY seq DESC LIMIT 1")
    .get(taking.origin.session) as { text: string } | undefined
  return last !== undefined && message.trim().endsWith(last.text)
}

/** The run the session works in; a tool that writes without one opens a run of its own (SessionStart with work). */
async function workingRun(taking: Taking, use: ToolUse): Promise<RunRow | null> {
  const { recorder, late } = taking
  const { store } = recorder
  const session = findSession(store, taking.origin.session)
  const live = liveRunOf(recorder, session)
  if (live || use.reach === 'nothing') return live
  if (!late) {
    await endDeadRuns(recorder)
    await checkDisk(recorder, 'boundary')
  }
  const prompt = { text: '', source: taking.told.id }
  const outer = outerRun(taking)
  write(store.db, () => {
    const row = seen(taking)
    if (outer) namePrompt(recorder, row, outer, { ...prompt, text: outer.title })
    else openHookedRun(recorder, row, { ...prompt, text: lastPrompt(taking) }, taking.told.process, late)
  })
  return liveRunOf(recorder, findSession(store, taking.origin.session))
}

/** Work that goes on after its run ended carries the prompt it came from. */
function lastPrompt(taking: Taking): string {
  const row = taking.recorder.store.db
    .prepare("SELECT text FROM message WHERE session = ? AND role = 'user' ORDER BY seq DESC LIMIT 1")
    .get(taking.origin.session) as { text: string } | undefined
  return row?.text ?? ''
}

function outerRun(taking: Taking): RunRow | null {
  const run = taking.told.run ? findRun(taking.recorder.store, taking.told.run) : null
  return run?.state === 'live' && run.hooked === 0 ? run : null
}

function finish(taking: Taking, run: RunRow, completion?: 'cancelled' | 'error'): void {
  const { recorder, context } = taking
  const { files } = endRun(recorder, run, {
    state: 'ended',
    exitCode: null,
    incomplete: false,
    ...(completion ? { completion } : {})
  })
  context.emit('run.ended', { workspace: recorder.workspace.id, run: run.id, title: run.title, files })
}

function markIncomplete(taking: Taking, run: string): void {
  taking.recorder.store.db.prepare('UPDATE run SET incomplete = 1 WHERE id = ?').run(run)
}

function insideOf(taking: Taking, use: ToolUse): string[] {
  return namedInside(taking.recorder.root, taking.origin.cwd, use.paths)
}

/** Call inside a transaction. */
function seen(taking: Taking): SessionRow {
  const { origin, agent, recorder, told } = taking
  return seenSession(recorder.store, { ...origin, id: origin.session, agent, home: told.home ?? null }, recorder.now())
}

function wasTaken(taking: Taking): boolean {
  const { store } = taking.recorder
  return store.db.prepare('SELECT 1 FROM taken_event WHERE id = ?').get(taking.told.id) !== undefined
}

function withTodo(todos: readonly StoredTodo[], one: Extract<Happening, { kind: 'todo' }>): StoredTodo[] {
  const known = todos.find((todo) => todo.id === one.id)
  const next = { id: one.id, text: one.text || (known?.text ?? ''), status: one.status }
  return known ? todos.map((todo) => (todo === known ? next : todo)) : [...todos, next]
}
