/** Entries of the timeline as the contract has them: one function per kind, and the turns of a run. */
import type { Turn } from '../../../contract/conversation.ts'
import type { Drift, TimelineEntry } from '../../../contract/timeline.ts'
import { driftTitle } from '../../../contract/words/drift.ts'
import { liveTotals } from '../diff/live-totals.ts'
import { runTotals } from '../diff/requested-changes.ts'
import { findDrift } from '../drift/drifts.ts'
import { conversationEntry } from '../restore/conversation.ts'
import { type CheckpointRow, findCheckpoint } from '../store/checkpoints.ts'
import { promptSeq } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { countRestoredFiles, firstRestoredFile } from '../store/restore-items.ts'
import { findRestore, type RestoreRow } from '../store/restores.ts'
import { textsOfRun } from '../store/run-texts.ts'
import { attributedTo, findRun, notesOf, type RunRow } from '../store/runs.ts'
import { titleOfSession } from '../store/sessions.ts'
import { testsBetween, testsOfRun } from '../store/test-results.ts'
import type { EntryKind } from '../store/timeline.ts'
import { countTurns, turnsOf } from '../store/turns.ts'

/** Paths of a drift that its entry names; `drift.list` has more. */
const MAX_DRIFT_PATHS = 5
/** Test results that an entry has. */
const MAX_TESTS = 20

/** `countLive`: also the lines of a live run with many changed paths are counted now; they are else when it ends. */
export function toEntry(store: Store, kind: EntryKind, id: string, countLive = false): TimelineEntry {
  switch (kind) {
    case 'run':
      return runEntry(store, found(findRun(store, id), id), countLive)
    case 'checkpoint':
      return checkpointEntry(store, found(findCheckpoint(store, id), id))
    case 'restore':
      return restoreEntry(store, found(findRestore(store, id), id))
    case 'drift':
      return driftEntry(found(findDrift(store, id), id))
  }
}

function found<T>(row: T | null, id: string): T {
  if (row === null) throw new Error(`${id} is missing`)
  return row
}

function runEntry(store: Store, run: RunRow, countLive: boolean): TimelineEntry {
  const isLive = run.state === 'live'
  return {
    kind: 'run',
    id: run.id,
    seq: run.end_seq ?? store.records.lastSeq(),
    at: run.started_at,
    title: run.name,
    prompt: run.title,
    ...textsOfRun(store, run.id),
    agent: run.agent,
    session: run.session,
    conversation: titleOfSession(store, run.session),
    state: run.state,
    endedAt: run.ended_at,
    turns: countTurns(store, run.id),
    // The totals of the row are set when the run ends.
    files: run.files,
    added: run.added,
    deleted: run.deleted,
    ...(isLive ? liveTotals(store, run.id, countLive) : {}),
    undone: run.taken_back === 1,
    incomplete: run.incomplete === 1,
    exitCode: run.exit_code,
    attributed: attributedTo(run),
    notes: notesOf(run),
    tests: testsOfRun(store, run.id, MAX_TESTS)
  }
}

function checkpointEntry(store: Store, { id, seq, at, label, reason, session }: CheckpointRow): TimelineEntry {
  const tests = testsBetween(store, seq, seq + 1, MAX_TESTS)
  return { kind: 'checkpoint', id, seq, at, title: label || 'Checkpoint', reason, session, tests }
}

function driftEntry(drift: Drift): TimelineEntry {
  const { id, seq, foundAt: at, count, state, cause, branches } = drift
  const title = driftTitle(count)
  const paths = drift.paths.slice(0, MAX_DRIFT_PATHS)
  return { kind: 'drift', id, seq, at, title, state, cause, branches, paths, count, tests: [] }
}

function restoreEntry(store: Store, row: RestoreRow): TimelineEntry {
  const guard = findCheckpoint(store, row.guard)
  const files = countRestoredFiles(store, row.id)
  return {
    kind: 'restore',
    id: row.id,
    seq: guard?.seq ?? 0,
    at: row.at,
    title: row.title,
    state: row.state === 'applying' ? 'interrupted' : row.state,
    act: row.act,
    toSeq: row.to_seq,
    guard: row.guard,
    files,
    selected: row.whole === 0,
    path: files === 1 ? firstRestoredFile(store, row.id) : null,
    undone: row.undone_by !== null,
    tests: [],
    ...conversationEntry(store, row)
  }
}

/** The turns of a run, oldest first. */
export function describeTurns(store: Store, run: string): Turn[] {
  const turns = turnsOf(store, run)
  const row = findRun(store, run)
  const session = row?.session ?? null
  // The only turn of an ended run has the run's totals, which are stored: counting means a diff.
  const countFiles = (turn: string): number =>
    turns.length === 1 && row?.ended_at ? row.files : runTotals(store, run, turn).files
  return turns.map((turn) => ({
    id: turn.id,
    prompt: turn.prompt,
    at: turn.started_at,
    endedAt: turn.ended_at,
    startSeq: turn.start_seq,
    files: countFiles(turn.id),
    session,
    message: promptSeq(store, session, turn.id)
  }))
}
