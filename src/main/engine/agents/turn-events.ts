/** What an agent tells of its work as a whole: prompts open runs and turns, stops and interrupts end them. */
import type { EngineEvents } from '../../../contract/api.ts'
import { prepareCached } from '../db/transaction.ts'
import { attachPrompt, awaitsPrompt, liveRunOf, openAgentRun, openTurn, type Prompt } from '../sessions/agent-runs.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { endRun } from '../sessions/end-run.ts'
import { addMessage, sourceOfHook } from '../sessions/messages.ts'
import type { RunRow } from '../sessions/runs.ts'
import { findSession, updateSession } from '../sessions/sessions.ts'
import { abandonCalls, openCallsOf } from '../sessions/tool-calls.ts'
import { applyLateResults } from './inferred-interrupts.ts'
import { commitAction, findOuterRun, type IngestContext, scanForCheckpoint, touchSession } from './ingest-context.ts'
import { importTranscript } from './transcript.ts'

/** [section 10] A prompt opens a run; while background work is open, or inside `driftline run`, it opens a turn. */
export async function handlePrompt(ingest: IngestContext, prompt: Prompt): Promise<void> {
  const { recorder, fromSpool } = ingest
  const { store } = recorder
  if (!fromSpool) {
    // Whatever the agent did before is over, if only its transcript says since when.
    const working = liveRunOf(recorder, findSession(store, ingest.origin.session))
    if (working) await applyLateResults(recorder, working)
    await endDeadRuns(recorder)
    await scanForCheckpoint(ingest, 'beginning')
  }
  const before = findSession(store, ingest.origin.session)
  const live = liveRunOf(recorder, before)
  // Two registrations of the hooks tell everything twice.
  const known = prepareCached(store.db, 'SELECT 1 FROM message WHERE session = ? AND source = ?').get(
    ingest.origin.session,
    sourceOfHook(prompt.source)
  )
  if (live && known) return
  const outer = findOuterRun(ingest)
  const inside = live ?? outer
  // An interrupt tells nothing: the next prompt ends what it interrupted.
  const interrupted = live && live.hooked === 1 && (before?.background ?? 0) === 0 && !awaitsPrompt(recorder, live)
  let ended: RunEnded | null = null
  commitAction(ingest, () => {
    if (before) importTranscript(recorder, before.id, prompt.text)
    if (interrupted) ended = closeRun(ingest, live, 'cancelled')
    const session = touchSession(ingest)
    if (interrupted || !inside) openAgentRun(recorder, session, prompt, ingest.hookEvent.process, fromSpool)
    else if (awaitsPrompt(recorder, inside)) attachPrompt(recorder, session, inside, prompt)
    else {
      abandonCalls(store, inside.id, false, recorder.now())
      openTurn(recorder, session, inside, prompt)
    }
    if (before) importTranscript(recorder, before.id)
  })
  emitRunEnded(ingest, ended)
}

export async function handleStop(ingest: IngestContext, message: string | null, told: number | null): Promise<void> {
  const { recorder } = ingest
  const { store } = recorder
  await scanForCheckpoint(ingest, 'end')
  let ended: RunEnded | null = null
  commitAction(ingest, () => {
    const session = touchSession(ingest)
    const run = liveRunOf(recorder, session)
    importTranscript(recorder, session.id)
    if (message && !isRecordedMessage(ingest, message))
      addMessage(store, session.id, {
        turn: session.turn,
        role: 'assistant',
        text: message,
        at: recorder.now(),
        source: sourceOfHook(`stop:${ingest.hookEvent.id}`)
      })
    if (!run) return
    const working = told ?? openCallsOf(store, run.id).filter((call) => call.wide === 1).length
    if (working > 0) updateSession(store, session.id, { background: working })
    else if (run.hooked === 1) ended = closeRun(ingest, run)
    else {
      abandonCalls(store, run.id, true, recorder.now())
      updateSession(store, session.id, { phase: 'stopped', background: 0 })
    }
  })
  emitRunEnded(ingest, ended)
}

/** The agent was interrupted, or its session ended: nothing of its run goes on. */
export async function handleInterrupt(ingest: IngestContext, how: 'interrupt' | 'session-end'): Promise<void> {
  const { recorder } = ingest
  const { store } = recorder
  await scanForCheckpoint(ingest, 'end')
  let ended: RunEnded | null = null
  commitAction(ingest, () => {
    const session = touchSession(ingest)
    const run = liveRunOf(recorder, session)
    importTranscript(recorder, session.id)
    if (run && run.hooked === 1) ended = closeRun(ingest, run, 'cancelled')
    if (how === 'session-end')
      updateSession(store, session.id, { ended_at: recorder.now(), run: null, turn: null, phase: 'stopped' })
  })
  emitRunEnded(ingest, ended)
}

/** The transcript told it already: an agent's last words may hold everything it said in the turn. */
function isRecordedMessage(ingest: IngestContext, message: string): boolean {
  const last = prepareCached(
    ingest.recorder.store.db,
    "SELECT text FROM message WHERE session = ? AND role = 'assistant' ORDER BY seq DESC LIMIT 1"
  ).get(ingest.origin.session) as { text: string } | undefined
  return last !== undefined && message.trim().endsWith(last.text)
}

type RunEnded = EngineEvents['run.ended']

/** Call inside a transaction, and tell what it returns after it. */
function closeRun({ recorder }: IngestContext, run: RunRow, completion?: 'cancelled' | 'error'): RunEnded {
  const { files } = endRun(recorder, run, {
    state: 'ended',
    exitCode: null,
    incomplete: false,
    ...(completion ? { completion } : {})
  })
  return { workspace: recorder.workspace.id, run: run.id, title: run.title, files }
}

function emitRunEnded({ gateway }: IngestContext, ended: RunEnded | null): void {
  if (ended) gateway.emit('run.ended', ended)
}
