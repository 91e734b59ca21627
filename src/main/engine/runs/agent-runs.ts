/**
 * Runs and turns of agents whose hooks report them. A prompt opens a run, or a turn in the session's live run; below
 * `driftline run` it joins that command's run. Everything here must be called inside a transaction, after a scan (CK-2), so
 * that the start of a run or turn is a position at which the log matches the disk.
 */
import { coverageState } from '../capture/coverage.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { prepareCached } from '../db/transaction.ts'
import { acceptDrift } from '../drift/accept-drift.ts'
import { newId } from '../ports/ids.ts'
import type { ProcessId } from '../ports/processes.ts'
import { blockingRestore } from '../restore/journal.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { encodeSessionHead } from './conversation.ts'
import { addMessage, lastMessageSeq, sourceOfHook } from '../store/messages.ts'
import { addRunNote, editsOfRun, findRun, openRun, type RunRow, sessionOfTurn, turnsOf } from '../store/runs.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { callsOf } from '../store/tool-calls.ts'

export interface Prompt {
  readonly text: string
  /** Identifies the prompt, so that it is recorded once. */
  readonly source: string
  /** Title of the run, when it is not the prompt. */
  readonly title?: string
}

/** The live run of a session. */
export function liveRunOf(recorder: Recorder, session: SessionRow | null): RunRow | null {
  const run = session?.run ? findRun(recorder.store, session.run) : null
  return run?.state === 'live' ? run : null
}

/** The first line of a prompt, as a title. `attachPrompt` and `fillInPrompt` find runs without a prompt by this text. */
export function titleOf(prompt: string, agent: string): string {
  const line = prompt.split('\n').find((text) => text.trim() !== '')
  return line ? line.trim().slice(0, 500) : `${agent} without a prompt`
}

/** Opens a run with its first turn at the newest position. Open drift is accepted first: it becomes part of the run's baseline. */
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
      // Edits during an unfinished restore are not attributed to the run.
      incomplete:
        incomplete ||
        coverageState(store) !== 'complete' ||
        blockingRestore(store) !== null ||
        recorder.space.measure().low,
      hooked: true
    },
    at
  )
  prepareCached(store.db, 'UPDATE turn SET prompt = ? WHERE id = ?').run(prompt.text, turn)
  addRunNote(store, run, note)
  startTurn(recorder, session, run, turn, prompt)
}

/** Opens the next turn of a live run, with a checkpoint where it starts. The open turn ends there. */
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

/** Gives its first prompt to a run that `awaitsPrompt`: opened without one, or by `driftline run` for an agent inside it. */
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

/** Adds a prompt that was found later, in the transcript, to a turn that began without one. */
export function fillInPrompt(recorder: Recorder, session: SessionRow, prompt: string): void {
  if (!session.turn || !session.run) return
  const { db } = recorder.store
  const filled = prepareCached(db, "UPDATE turn SET prompt = ? WHERE id = ? AND prompt = ''").run(prompt, session.turn)
  if (filled.changes === 0) return
  const title = titleOf(prompt, session.agent)
  const titleWithout = titleOf('', session.agent)
  prepareCached(db, 'UPDATE run SET title = ? WHERE id = ? AND title = ?').run(title, session.run, titleWithout)
  prepareCached(db, 'UPDATE session SET title = ? WHERE id = ? AND title = ?').run(title, session.id, titleWithout)
}

/** The run began without a prompt and has done nothing yet. */
export function awaitsPrompt(recorder: Recorder, run: RunRow): boolean {
  const turn = turnsOf(recorder.store, run.id).at(-1)
  if (run.hooked === 0) return run.session === null
  return turn?.prompt === '' && callsOf(recorder.store, run.id).length === 0
}

/** Note of a run in a conversation of which messages were undone here: the agent's own copy still has them. */
const REMEMBERS = 'the agent still remembers what was undone'

/**
 * Moves a conversation that is continued to its newest message: its agent builds on all messages, including those undone here.
 * Returns the note for its run, '' when none was undone.
 */
function reopenRun(store: Store, session: SessionRow): string {
  const newest = lastMessageSeq(store, session.id)
  if (session.revision >= newest) return ''
  updateSession(store, session.id, { revision: newest })
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
  addMessage(recorder.store, session.id, {
    turn,
    role: 'user',
    text: prompt.text,
    at,
    source: sourceOfHook(prompt.source)
  })
}
