/**
 * Opens runs: the only way, whoever reports them. A run starts at the newest position, after a scan (CK-2), with its
 * first turn and a checkpoint.
 */
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import { listDrift } from '../drift/drifts.ts'
import type { DiskSpace } from '../files/disk-space.ts'
import { assignCheckpoint } from '../store/checkpoints.ts'
import { coverageState } from '../store/coverage.ts'
import { leaveDriftUnreviewed } from '../store/drifts.ts'
import { newId } from '../store/ids.ts'
import { lastMessageSeq } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { blockingRestore } from '../store/restores.ts'
import { addRunNote, insertRun } from '../store/runs.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'
import { insertTurn } from '../store/turns.ts'

/** What beginning and ending runs needs of a recorded folder. */
export interface RunContext {
  readonly root: string
  readonly space: DiskSpace
  /** ms UTC */
  now(): number
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
}

/**
 * The death of `process` ends the run. `incomplete`: the folder was not scanned before, so versions before its edits
 * may be missing.
 */
type RunStart = Omit<Parameters<typeof insertRun>[1], 'id' | 'startSeq' | 'startCheckpoint' | 'drifted'> & {
  readonly prompt: string
  /** Chosen by the caller; new by default. No run may have it. */
  readonly id?: string
}

interface OpenedRun {
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
  const drifted = closeDriftBefore(tx, context, session)
  const remembers = start.source !== 'command' && continueConversation(tx, session)
  const checkpoint = addCheckpoint(tx, context.root, { reason: 'run_start', session }, at)
  // Edits during an unfinished restore are not attributed to the run.
  const incomplete =
    start.incomplete || coverageState(tx) !== 'complete' || blockingRestore(tx) !== null || context.space.measure().low
  const run = start.id ?? newId('run')
  const turn = newId('turn')
  insertRun(
    tx,
    { ...start, id: run, startSeq: checkpoint.seq, startCheckpoint: checkpoint.id, drifted, incomplete },
    at
  )
  insertTurn(tx, { id: turn, run, n: 1, prompt: start.prompt, started_at: at, start_seq: checkpoint.seq })
  assignCheckpoint(tx, checkpoint.id, run, turn)
  addEntry(tx, 'run', run)
  if (remembers) addRunNote(tx, run, 'remembers')
  return { run, turn, checkpoint: checkpoint.id, drifted, incomplete }
}

/**
 * Moves a conversation that is continued to its newest message: its agent builds on all messages, including those
 * undone here. Returns whether some were undone: the agent's own copy still has them, which its run notes.
 */
export function continueConversation(tx: Writable<Store>, id: string | null): boolean {
  const session = id === null ? null : findSession(tx, id)
  if (!session) return false
  const newest = lastMessageSeq(tx, session.id)
  if (session.revision >= newest) return false
  updateSession(tx, session.id, { revision: newest })
  return true
}

/** "true": drift that is open when a run starts gets a checkpoint of its own before the start of the run. */
export const PRE_RUN_DRIFT = 'capture.preRunDrift'

/**
 * Outside edits found before a run starts become part of the run's baseline: its diff must not show them, and undoing
 * it must keep them. With the setting `capture.preRunDrift` a checkpoint marks the position first. Returns whether
 * there was any. Call after a scan (CK-2), before the `run_start` checkpoint.
 */
function closeDriftBefore(tx: Writable<Store>, context: RunContext, session: string | null): boolean {
  const open = listDrift(tx, 'open')
  if (open.length > 0 && context.setting(PRE_RUN_DRIFT) === 'true') {
    const files = open.reduce((total, drift) => total + drift.count, 0)
    addCheckpoint(tx, context.root, { reason: 'pre_run_drift', label: String(files), session }, context.now())
  }
  return leaveDriftUnreviewed(tx)
}
