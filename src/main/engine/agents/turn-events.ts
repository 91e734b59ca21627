/** What an agent tells of its work as a whole: prompts open runs and turns, stops and interrupts end them. */
import type { EngineEvents } from '../../../contract/api.ts'
import { prepared } from '../db/transaction.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { endRun } from '../sessions/end-run.ts'
import { isUnnamed, liveRunOf, namePrompt, openHookedRun, openTurn, type Prompt } from '../sessions/hooked-runs.ts'
import { addMessage, toldBy } from '../sessions/messages.ts'
import type { RunRow } from '../sessions/runs.ts'
import { findSession, updateSession } from '../sessions/sessions.ts'
import { abandonCalls, openCallsOf } from '../sessions/tool-calls.ts'
import { lookFor, outerRun, record, seen, type Taking } from './taking.ts'
import { readTranscript } from './transcript.ts'
import { endUntoldOf } from './untold-ends.ts'

/** [section 10] A prompt opens a run; while background work is open, or inside `driftline run`, it opens a turn. */
export async function prompted(taking: Taking, prompt: Prompt): Promise<void> {
  const { recorder, late } = taking
  const { store } = recorder
  if (!late) {
    // Whatever the agent did before is over, if only its transcript says since when.
    const working = liveRunOf(recorder, findSession(store, taking.origin.session))
    if (working) await endUntoldOf(recorder, working)
    await endDeadRuns(recorder)
    await lookFor(taking, 'beginning')
  }
  const before = findSession(store, taking.origin.session)
  const live = liveRunOf(recorder, before)
  // Two registrations of the hooks tell everything twice.
  const known = prepared(store.db, 'SELECT 1 FROM message WHERE session = ? AND source = ?').get(
    taking.origin.session,
    toldBy(prompt.source)
  )
  if (live && known) return
  const outer = outerRun(taking)
  const inside = live ?? outer
  // An interrupt tells nothing: the next prompt ends what it interrupted.
  const interrupted = live && live.hooked === 1 && (before?.background ?? 0) === 0 && !isUnnamed(recorder, live)
  let ended: Ended | null = null
  record(taking, () => {
    if (before) readTranscript(recorder, before.id, prompt.text)
    if (interrupted) ended = finish(taking, live, 'cancelled')
    const session = seen(taking)
    if (interrupted || !inside) openHookedRun(recorder, session, prompt, taking.told.process, late)
    else if (isUnnamed(recorder, inside)) namePrompt(recorder, session, inside, prompt)
    else {
      abandonCalls(store, inside.id, false, recorder.now())
      openTurn(recorder, session, inside, prompt)
    }
    if (before) readTranscript(recorder, before.id)
  })
  tell(taking, ended)
}

export async function stopped(taking: Taking, message: string | null, told: number | null): Promise<void> {
  const { recorder } = taking
  const { store } = recorder
  await lookFor(taking, 'end')
  let ended: Ended | null = null
  record(taking, () => {
    const session = seen(taking)
    const run = liveRunOf(recorder, session)
    readTranscript(recorder, session.id)
    if (message && !isKnown(taking, message))
      addMessage(store, session.id, {
        turn: session.turn,
        role: 'assistant',
        text: message,
        at: recorder.now(),
        source: toldBy(`stop:${taking.told.id}`)
      })
    if (!run) return
    const working = told ?? openCallsOf(store, run.id).filter((call) => call.wide === 1).length
    if (working > 0) updateSession(store, session.id, { background: working })
    else if (run.hooked === 1) ended = finish(taking, run)
    else {
      abandonCalls(store, run.id, true, recorder.now())
      updateSession(store, session.id, { phase: 'stopped', background: 0 })
    }
  })
  tell(taking, ended)
}

/** The agent was interrupted, or its session ended: nothing of its run goes on. */
export async function cutOff(taking: Taking, how: 'interrupt' | 'session-end'): Promise<void> {
  const { recorder } = taking
  const { store } = recorder
  await lookFor(taking, 'end')
  let ended: Ended | null = null
  record(taking, () => {
    const session = seen(taking)
    const run = liveRunOf(recorder, session)
    readTranscript(recorder, session.id)
    if (run && run.hooked === 1) ended = finish(taking, run, 'cancelled')
    if (how === 'session-end')
      updateSession(store, session.id, { ended_at: recorder.now(), run: null, turn: null, phase: 'stopped' })
  })
  tell(taking, ended)
}

/** The transcript told it already: an agent's last words may hold everything it said in the turn. */
function isKnown(taking: Taking, message: string): boolean {
  const last = prepared(
    taking.recorder.store.db,
    "SELECT text FROM message WHERE session = ? AND role = 'assistant' ORDER BY seq DESC LIMIT 1"
  ).get(taking.origin.session) as { text: string } | undefined
  return last !== undefined && message.trim().endsWith(last.text)
}

type Ended = EngineEvents['run.ended']

/** Call inside a transaction, and tell what it returns after it. */
function finish({ recorder }: Taking, run: RunRow, completion?: 'cancelled' | 'error'): Ended {
  const { files } = endRun(recorder, run, {
    state: 'ended',
    exitCode: null,
    incomplete: false,
    ...(completion ? { completion } : {})
  })
  return { workspace: recorder.workspace.id, run: run.id, title: run.title, files }
}

function tell({ context }: Taking, ended: Ended | null): void {
  if (ended) context.emit('run.ended', ended)
}
