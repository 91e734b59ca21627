/**
 * Imports long transcripts after the hook that reported them was answered: in slices, each one transaction that also
 * moves the session's offset, so a killed process loses and repeats nothing. What hooks report meanwhile waits as steps
 * (store/late-steps.ts) and is added where it belongs: after the part of the transcript that was there before it.
 */
import { createRepeatedWork, type RepeatedWork } from '../ports/repeated-work.ts'
import { appendMessage, isRepeatedAnswer } from '../runs/session-rows.ts'
import { finishLateStep, firstLateStep, type LateStep, sessionsBehind } from '../store/late-steps.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { runOfTurn } from '../store/turns.ts'
import type { AgentWorkspace, SessionContext } from './agent-workspace.ts'
import { importPart } from './transcript.ts'

/** Performs the next step, or one slice of a long one. False if no step was left. */
export function performLateStep(context: SessionContext, id: string): boolean {
  return transact<Store, boolean>(context.store, (tx) => {
    const session = findSession(tx, id)
    const step = session && firstLateStep(tx, id)
    if (!session || !step) return false
    if (step.up_to === null) {
      if (step.role === 'user' || !isRepeatedAnswer(tx, id, step.text)) appendMessage(tx, id, step)
    } else if (!importStep(context, session, step, step.up_to)) return true
    finishLateStep(tx, id, step.n)
    bumpRev(tx)
    return true
  })
}

/** Returns whether the transcript is imported up to the step's end. */
function importStep(context: SessionContext, session: SessionRow, { turn, text }: LateStep, end: number): boolean {
  const run = turn === null ? null : runOfTurn(context.store, turn)
  return importPart(context, { ...session, turn, run }, { end, ...(text === '' ? {} : { prompt: text }) })
}

/** Imports the transcript up to its end, in as many steps as it takes. */
export function importWholeTranscript(context: SessionContext, id: string): void {
  while (performLateStep(context, id));
  for (let done = false; !done; ) {
    const session = findSession(context.store, id)
    done = !session || importPart(context, session, {})
  }
}

interface Options {
  readonly onDone: () => void
  readonly onError: (error: unknown) => void
}

/** Requested when sessions may be behind; the rest waits for the next start once it is closed. */
export function createCatchUp(open: AgentWorkspace, { onDone, onError }: Options): RepeatedWork {
  return createRepeatedWork(async ({ isClosed }) => {
    for (const id of sessionsBehind(open.store)) {
      // Hooks that wait for the lock are answered between two slices.
      do await new Promise((resolve) => setImmediate(resolve))
      while (!isClosed() && (await open.lock.run(async () => !isClosed() && performLateStep(open, id))))
      if (!isClosed()) onDone()
    }
  }, onError)
}
