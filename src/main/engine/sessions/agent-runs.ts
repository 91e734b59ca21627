/** Runs and turns of agents that tell of themselves: opened at a prompt, joined below `driftline run` (DESIGN section 10). */
import { coverageState } from '../capture/coverage.ts'
import { acceptDrift } from '../checkpoints/accept-drift.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { prepareCached } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import type { ProcessId } from '../ports/processes.ts'
import { blockingRestore } from '../restore/journal.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { encodeSessionHead } from './conversation.ts'
import { addMessage, lastMessageSeq, sourceOfHook } from './messages.ts'
import { editsOfRun, findRun, openRun, type RunRow, addRunNote, sessionOfTurn, turnsOf } from './runs.ts'
import { findSession, type SessionRow, updateSession } from './sessions.ts'
import { callsOf } from './tool-calls.ts'

export interface Prompt {
  readonly text: string
  /** Names the prompt, so that it is taken once. */
  readonly source: string
  /** What lists call the run, when not by its prompt. */
  readonly title?: string
}

/** The run a session works in now. */
export function liveRunOf(recorder: Recorder, session: SessionRow | null): RunRow | null {
  const run = session?.run ? findRun(recorder.store, session.run) : null
  return run?.state === 'live' ? run : null
}

/** First line of a prompt, for lists. */
export function titleOf(prompt: string, agent: string): string {
  const line = prompt.split('\n').find((one) => one.trim() !== '')
  return line ? line.trim().slice(0, 500) : `${agent} without a prompt`
}

/** Opens a run for a prompt at the present position. Call inside a transaction, after a check (CK-2). */
export function openAgentRun(
  recorder: Recorder,
  session: SessionRow,
  prompt: Prompt,
  process: ProcessId,
  incomplete: boolean
): void {
  const { store } = recorder
  const at = recorder.now()
  const drifted = acceptDrift(recorder, session.id)
  const note = reopenRun(store, session)
  const start = addCheckpoint(recorder, { reason: 'run_start', session: session.id }, at)
  const title = prompt.title ?? titleOf(prompt.text, session.agent)
  const { run, turn } = openRun(
    store,
    {
      title,
      agent: session.agent,
      session: session.id,
      process,
      startSeq: start.seq,
      startCheckpoint: start.id,
      drifted,
      // What an unfinished restore touches is nobody's until it is settled.
      incomplete:
        incomplete || coverageState(store) !== 'complete' || blockingRestore(store) !== null || recorder.space.measure().low,
      hooked: true
    },
    at
  )
  prepareCached(store.db, 'UPDATE turn SET prompt = ? WHERE id = ?').run(prompt.text, turn)
  addRunNote(store, run, note)
  startTurn(recorder, session, run, turn, prompt)
}

/** A prompt inside a run that goes on: its next turn, with the position before it. Call inside a transaction, after a check. */
export function openTurn(recorder: Recorder, session: SessionRow, run: RunRow, prompt: Prompt): void {
  const { store } = recorder
  const at = recorder.now()
  const seq = store.records.lastSeq()
  const last = turnsOf(store, run.id).at(-1)
  const turn = newId('turn')
  if (last && last.ended_at === null) {
    if (editsOfRun(store, run.id, last.id).length > 0)
      addCheckpoint(
        recorder,
        { reason: 'end_of_turn', run: run.id, turn: last.id, session: sessionOfTurn(store, last.id) },
        at
      )
    prepareCached(store.db, 'UPDATE turn SET ended_at = ?, end_seq = ? WHERE id = ?').run(at, seq, last.id)
  }
  prepareCached(store.db, 'INSERT INTO turn(id, run, n, prompt, started_at, start_seq) VALUES (?, ?, ?, ?, ?, ?)').run(
    turn,
    run.id,
    (last?.n ?? 0) + 1,
    prompt.text,
    at,
    seq
  )
  addRunNote(store, run.id, reopenRun(store, session))
  addCheckpoint(recorder, { reason: 'pre_write', run: run.id, turn, session: session.id }, at)
  startTurn(recorder, session, run.id, turn, prompt)
}

/** The first words of a run or turn that began without any, or of an agent inside `driftline run`. Call inside a transaction. */
export function attachPrompt(recorder: Recorder, session: SessionRow, run: RunRow, prompt: Prompt): void {
  const { db } = recorder.store
  const turn = turnsOf(recorder.store, run.id).at(-1)
  if (!turn) return
  const title = run.hooked === 1 ? titleOf(prompt.text, session.agent) : run.title
  prepareCached(db, 'UPDATE turn SET prompt = ? WHERE id = ?').run(prompt.text, turn.id)
  prepareCached(db, 'UPDATE run SET title = ?, agent = ?, session = ? WHERE id = ?').run(
    title,
    session.agent,
    session.id,
    run.id
  )
  addRunNote(recorder.store, run.id, reopenRun(recorder.store, session))
  const { revision } = findSession(recorder.store, session.id) as SessionRow
  prepareCached(db, 'UPDATE checkpoint SET session = ?, revision = ?, head = ? WHERE run = ? AND revision IS NULL').run(
    session.id,
    revision,
    encodeSessionHead(session),
    run.id
  )
  startTurn(recorder, session, run.id, turn.id, prompt)
}

/** Words found later for a turn that began without any. Call inside a transaction. */
export function fillInPrompt(recorder: Recorder, session: SessionRow, words: string): void {
  if (!session.turn || !session.run) return
  const { db } = recorder.store
  const named = prepareCached(db, "UPDATE turn SET prompt = ? WHERE id = ? AND prompt = ''").run(words, session.turn)
  if (named.changes === 0) return
  const title = titleOf(words, session.agent)
  const unnamed = titleOf('', session.agent)
  prepareCached(db, 'UPDATE run SET title = ? WHERE id = ? AND title = ?').run(title, session.run, unnamed)
  prepareCached(db, 'UPDATE session SET title = ? WHERE id = ? AND title = ?').run(title, session.id, unnamed)
}

/** A run that began without words and has done nothing yet. */
export function awaitsPrompt(recorder: Recorder, run: RunRow): boolean {
  const turn = turnsOf(recorder.store, run.id).at(-1)
  if (run.hooked === 0) return run.session === null
  return turn?.prompt === '' && callsOf(recorder.store, run.id).length === 0
}

/** Said of a run whose session goes on although part of it was taken back here. */
const REMEMBERS = 'the agent still remembers what was taken back'

/** A session that goes on stands on everything its agent was told, also on what was taken back here. Returns what to say of its run. */
function reopenRun(store: Store, session: SessionRow): string {
  const last = lastMessageSeq(store, session.id)
  if (session.revision >= last) return ''
  updateSession(store, session.id, { revision: last })
  return REMEMBERS
}

function startTurn(recorder: Recorder, session: SessionRow, run: string, turn: string, prompt: Prompt): void {
  const at = recorder.now()
  updateSession(recorder.store, session.id, {
    run,
    turn,
    phase: session.mode === 'plan' ? 'plan' : 'execute',
    background: 0,
    ended_at: null,
    ...(session.title === '' ? { title: prompt.title ?? titleOf(prompt.text, session.agent) } : {})
  })
  addMessage(recorder.store, session.id, { turn, role: 'user', text: prompt.text, at, source: sourceOfHook(prompt.source) })
}
