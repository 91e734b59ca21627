/** Actions that open and end runs and turns: prompts, stops, interrupts and the end of a session. */
import type { EngineEvents } from '../../../contract/api.ts'
import { checkDisk } from '../drift/check.ts'
import { attachPrompt, awaitsPrompt, liveRunOf, openAgentRun, openTurn, type Prompt } from '../runs/agent-runs.ts'
import { endRun } from '../runs/end-run.ts'
import { type RunOver, runFacts, runState } from '../runs/run-state.ts'
import { addMessage, isRepeatedAnswer, isReported } from '../runs/session-rows.ts'
import { sourceOfHook } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { RunRow } from '../store/runs.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { abandonCalls } from '../store/tool-calls.ts'
import { applyLateResults } from './inferred-interrupts.ts'
import { asOf, commitAction, type IngestContext, touchSession } from './ingest-context.ts'
import { findOuterRun, leaveOuterRun } from './outer-run.ts'
import { importTranscript } from './transcript.ts'

/**
 * A prompt opens a run. While background work of the last run is open, or inside `driftline run`, it opens a turn of
 * that run instead.
 */
export async function handlePrompt(ingest: IngestContext, prompt: Prompt): Promise<void> {
  const { workspace, store, fromSpool, transcriptEnd: end } = ingest
  if (!fromSpool) {
    // End what is over before the new run starts: the transcript may hold an end that no hook reported.
    const current = liveRunOf(store, findSession(store, ingest.origin.session))
    if (current) await applyLateResults(workspace, current)
    await workspace.endDeadRuns()
    await checkDisk(ingest.workspace, 'position')
  }
  const before = findSession(store, ingest.origin.session)
  const live = liveRunOf(store, before)
  // Hooks that are registered twice (user and project settings) send every event twice.
  const known = isReported(store, ingest.origin.session, sourceOfHook(prompt.source))
  if (live && known) return
  const current = live ?? findOuterRun(ingest)
  const verdict = live && runState(runFacts(store, live, 'prompt'), workspace.now())
  const over = verdict?.state === 'live' ? null : verdict
  const ended = commitAction(ingest, (tx) => {
    // Messages before this prompt belong to the old turn, those after it to the new one: hence two imports.
    if (before) importTranscript(workspace, before.id, { prompt: prompt.text, end })
    const ended = live && over ? closeRun(ingest, live, over) : null
    const session = touchSession(tx, ingest)
    if (over || !current) {
      const { process } = ingest.hookEvent
      openAgentRun(tx, workspace, session, { source: 'hooks', prompt, process, incomplete: fromSpool })
    } else if (awaitsPrompt(store, current)) attachPrompt(tx, session, current, prompt, workspace.now())
    else {
      abandonCalls(tx, current.id, workspace.now(), 'stay')
      openTurn(tx, workspace, session, current, prompt)
    }
    if (before) importTranscript(workspace, before.id, { end })
    return ended
  })
  if (ended) ingest.gateway.emit('run.ended', ended)
}

/**
 * The agent stopped. Its run ends unless background work continues. `background`: number of background tasks as
 * reported; null = count the open calls that may write anywhere.
 */
export async function handleStop(
  ingest: IngestContext,
  message: string | null,
  background: number | null
): Promise<void> {
  const { workspace, store } = ingest
  return commitEnd(ingest, (tx, session, run) => {
    if (message && (session.behind > 0 || !isRepeatedAnswer(tx, session.id, message)))
      addMessage(tx, session.id, {
        turn: session.turn,
        role: 'assistant',
        text: message,
        at: workspace.now(),
        source: sourceOfHook(`stop:${ingest.hookEvent.id}`)
      })
    if (!run) return null
    const known = runFacts(store, run, 'stop')
    const facts = { ...known, working: background ?? known.working }
    if (facts.working > 0) {
      updateSession(tx, session.id, { background: facts.working })
      return null
    }
    const verdict = runState(facts, workspace.now())
    if (verdict.state !== 'live') return closeRun(ingest, run, verdict)
    // A run of `driftline run` ends with its command.
    abandonCalls(tx, run.id, workspace.now(), 'end')
    updateSession(tx, session.id, { phase: 'stopped', background: 0 })
    return null
  })
}

/** The user interrupted the agent, or its session ended: its run ends, background work included. */
export async function handleInterrupt(ingest: IngestContext, cause: 'interrupt' | 'session-end'): Promise<void> {
  const { workspace } = ingest
  return commitEnd(ingest, (tx, session, run) => {
    const verdict = run && runState(runFacts(workspace.store, run, cause), workspace.now())
    const ended = run && verdict && verdict.state !== 'live' ? closeRun(ingest, run, verdict) : null
    if (cause === 'session-end') {
      updateSession(tx, session.id, { ended_at: workspace.now(), run: null, turn: null, phase: 'stopped' })
      leaveOuterRun(tx, ingest)
    }
    return ended
  })
}

/** Records everything up to the end of a turn, with `end`, which may end the session's live run. */
async function commitEnd(
  ingest: IngestContext,
  end: (tx: Writable<Store>, session: SessionRow, run: RunRow | null) => RunEnded | null
): Promise<void> {
  await checkDisk(ingest.workspace, 'position', asOf(ingest))
  const ended = commitAction(ingest, (tx) => {
    const session = touchSession(tx, ingest)
    const run = liveRunOf(ingest.store, session)
    importTranscript(ingest.workspace, session.id, { end: ingest.transcriptEnd })
    return end(tx, session, run)
  })
  if (ended) ingest.gateway.emit('run.ended', ended)
}

type RunEnded = EngineEvents['run.ended']

/** Call inside a transaction. Emit the returned event after the commit. */
function closeRun({ workspace }: IngestContext, run: RunRow, over: RunOver): RunEnded {
  const { files } = endRun(workspace, run, over)
  return { workspace: workspace.workspace.id, run: run.id, title: run.name, files }
}
