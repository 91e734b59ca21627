/**
 * Opens runs: the only way, whoever reports them. A run starts at the newest position, after a scan (CK-2), with its first turn
 * and a checkpoint.
 */

import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import type { ProcessId } from '../ports/processes.ts'
import { assignCheckpoint } from '../store/checkpoints.ts'
import { coverageState } from '../store/coverage.ts'
import { newId } from '../store/ids.ts'
import { lastMessageSeq } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { blockingRestore } from '../store/restores.ts'
import { addRunNote, insertRun, type RunSource } from '../store/runs.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'
import { insertTurn } from '../store/turns.ts'
import { acceptDrift } from './accept-drift.ts'
import type { RunContext } from './run-context.ts'

export interface RunStart {
  readonly source: RunSource
  readonly title: string
  readonly agent: string
  readonly session: string | null
  readonly prompt: string
  /** Its death ends the run. */
  readonly process: ProcessId
  /** The folder was not scanned before, so versions before the run's edits may be missing. */
  readonly incomplete: boolean
}

export interface OpenedRun {
  readonly run: string
  readonly turn: string
  readonly checkpoint: string
  /** Outside edits were open; they became part of the run's baseline. */
  readonly drifted: boolean
  readonly incomplete: boolean
}

export function openRun(tx: Writable<Store>, context: RunContext, start: RunStart): OpenedRun {
  const { session } = start
  const at = context.now()
  const drifted = acceptDrift(tx, context, session)
  const note = start.source === 'command' ? '' : continueConversation(tx, session)
  const checkpoint = addCheckpoint(tx, context.root, { reason: 'run_start', session }, at)
  // Edits during an unfinished restore are not attributed to the run.
  const incomplete =
    start.incomplete || coverageState(tx) !== 'complete' || blockingRestore(tx) !== null || context.space.measure().low
  const run = newId('run')
  const turn = newId('turn')
  insertRun(
    tx,
    { ...start, id: run, startSeq: checkpoint.seq, startCheckpoint: checkpoint.id, drifted, incomplete },
    at
  )
  insertTurn(tx, { id: turn, run, n: 1, prompt: start.prompt, started_at: at, start_seq: checkpoint.seq })
  assignCheckpoint(tx, checkpoint.id, run, turn)
  addEntry(tx, 'run', run)
  addRunNote(tx, run, note)
  return { run, turn, checkpoint: checkpoint.id, drifted, incomplete }
}

/** Note of a run in a conversation of which messages were undone here: the agent's own copy still has them. */
const REMEMBERS = 'the agent still remembers what was undone'

/**
 * Moves a conversation that is continued to its newest message: its agent builds on all messages, including those undone here.
 * Returns the note for its run, '' when none was undone.
 */
export function continueConversation(tx: Writable<Store>, id: string | null): string {
  const session = id === null ? null : findSession(tx, id)
  if (!session) return ''
  const newest = lastMessageSeq(tx, session.id)
  if (session.revision >= newest) return ''
  updateSession(tx, session.id, { revision: newest })
  return REMEMBERS
}
