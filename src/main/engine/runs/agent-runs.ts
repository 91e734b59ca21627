/**
 * Runs and turns of agents. A prompt opens a run, or a turn in the session's live run; below `driftline run` it joins
 * that command's run. Runs and turns start after a scan (CK-2), at a position at which the log matches the disk.
 */
import { firstLine } from '../../../contract/words/text.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import type { ProcessId } from '../ports/processes.ts'
import { assignConversation } from '../store/checkpoints.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { newId } from '../store/ids.ts'
import { revisionNow } from '../store/late-steps.ts'
import { sourceOfHook } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { addRunNote, assignRun, findRun, type RunRow, type RunSource, retitleRun } from '../store/runs.ts'
import { encodeSessionHead } from '../store/session-head.ts'
import { getSession, retitleSession, type SessionRow, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { callsOf } from '../store/tool-calls.ts'
import { endOpenTurn, fillEmptyPrompt, insertTurn, sessionOfTurn, setPrompt, turnsOf } from '../store/turns.ts'
import { continueConversation, openRun, type RunContext } from './open-run.ts'
import { addMessage } from './session-rows.ts'

export interface Prompt {
  readonly text: string
  /** Identifies the prompt, so that it is recorded once. */
  readonly source: string
  /** Title of the run, when it is not the prompt. */
  readonly title?: string
}

/** The live run of a session. */
export function liveRunOf(store: Store, session: SessionRow | null): RunRow | null {
  const run = session?.run ? findRun(store, session.run) : null
  return run?.state === 'live' ? run : null
}

/**
 * The first line of a prompt, as a title. `attachPrompt` and `fillInPrompt` find runs without a prompt by this text.
 */
function titleOf(prompt: string, agent: string): string {
  const line = firstLine(prompt)
  return line ? line.slice(0, 500) : `${agent} without a prompt`
}

/** Opens a run of a session and makes the session work in it. */
export function openAgentRun(
  tx: Writable<Store>,
  context: RunContext,
  session: SessionRow,
  start: {
    readonly source: Exclude<RunSource, 'command'>
    readonly prompt: Prompt
    readonly process: ProcessId
    readonly incomplete: boolean
  }
): { readonly run: string; readonly turn: string } {
  const { prompt } = start
  const { text, title = titleOf(text, session.agent) } = prompt
  const opened = openRun(tx, context, { ...start, title, agent: session.agent, session: session.id, prompt: text })
  startTurn(tx, session, opened, prompt, context.now())
  return opened
}

/** Opens the next turn of a live run, with a checkpoint where it starts. The open turn ends there. */
export function openTurn(
  tx: Writable<Store>,
  context: RunContext,
  session: SessionRow,
  run: RunRow,
  prompt: Prompt
): void {
  const at = context.now()
  const seq = tx.records.lastSeq()
  const last = turnsOf(tx, run.id).at(-1)
  const turn = newId('turn')
  if (last && last.ended_at === null) {
    if (editsOfRun(tx, run.id, last.id).length > 0)
      addCheckpoint(
        tx,
        context.root,
        { reason: 'end_of_turn', run: run.id, turn: last.id, session: sessionOfTurn(tx, last.id) },
        at
      )
    endOpenTurn(tx, run.id, seq, at)
  }
  insertTurn(tx, { id: turn, run: run.id, n: (last?.n ?? 0) + 1, prompt: prompt.text, started_at: at, start_seq: seq })
  if (continueConversation(tx, session.id)) addRunNote(tx, run.id, 'remembers')
  addCheckpoint(tx, context.root, { reason: 'pre_write', run: run.id, turn, session: session.id }, at)
  startTurn(tx, session, { run: run.id, turn }, prompt, at)
}

/**
 * Gives its first prompt to a run that `awaitsPrompt`: opened without one, or by `driftline run` for an agent inside
 * it.
 */
export function attachPrompt(tx: Writable<Store>, session: SessionRow, run: RunRow, prompt: Prompt, at: number): void {
  const turn = turnsOf(tx, run.id).at(-1)
  if (!turn) return
  const title = run.source === 'command' ? run.title : titleOf(prompt.text, session.agent)
  setPrompt(tx, turn.id, prompt.text)
  assignRun(tx, run.id, { title, agent: session.agent, session: session.id })
  if (continueConversation(tx, session.id)) addRunNote(tx, run.id, 'remembers')
  const revision = revisionNow(getSession(tx, session.id))
  assignConversation(tx, run.id, { session: session.id, revision, head: encodeSessionHead(session) })
  startTurn(tx, session, { run: run.id, turn: turn.id }, prompt, at)
}

/** Adds a prompt that was found later, in the transcript, to a turn that began without one. */
export function fillInPrompt(tx: Writable<Store>, session: SessionRow, prompt: string): void {
  if (!session.turn || !session.run || !fillEmptyPrompt(tx, session.turn, prompt)) return
  const title = titleOf(prompt, session.agent)
  const titleWithout = titleOf('', session.agent)
  retitleRun(tx, session.run, titleWithout, title)
  retitleSession(tx, session.id, titleWithout, title)
}

/**
 * [GW-10] The run began without a prompt, and no tool call of it has ended. A call may be open: agents start hooks side
 * by side, so that the event of a tool can arrive before that of its prompt.
 */
export function awaitsPrompt(store: Store, run: RunRow): boolean {
  if (run.source === 'command') return run.session === null
  return turnsOf(store, run.id).at(-1)?.prompt === '' && callsOf(store, run.id).every(({ state }) => state === 'open')
}

function startTurn(
  tx: Writable<Store>,
  session: SessionRow,
  { run, turn }: { readonly run: string; readonly turn: string },
  prompt: Prompt,
  at: number
): void {
  updateSession(tx, session.id, {
    run,
    turn,
    phase: session.mode === 'plan' ? 'plan' : 'execute',
    background: 0,
    ended_at: null,
    ...(session.title === '' ? { title: prompt.title ?? titleOf(prompt.text, session.agent) } : {})
  })
  addMessage(tx, session.id, { turn, role: 'user', text: prompt.text, at, source: sourceOfHook(prompt.source) })
}
