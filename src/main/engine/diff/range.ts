/** Which two positions a diff is about, and whose changes between them. */
import type { Params } from '../../../contract/api.ts'
import type { DiffResult } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import { type CheckpointRow, findCheckpoint } from '../checkpoints/checkpoints.ts'
import { findRun, type RunRow, STARTS_TURN } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget, type Target } from '../store/targets.ts'

export type DiffRequest = Omit<Params<'diff.files'>, 'workspace'>

/** What a diff says of itself besides its files. */
export type Range = Omit<DiffResult, 'files'>

/** A run, or one turn of it. */
export interface RunPart {
  readonly run: string
  readonly turn: string | null
}

/** The run whose own changes are asked for; null for all that lies between two positions. Throws UnknownTarget. */
export function runMeant(store: Store, target: Target, { scope, to }: DiffRequest): RunPart | null {
  if (to || scope === 'checkpoint') return null
  if (scope === undefined && target.kind !== 'run' && target.kind !== 'turn') return null
  return { run: runOf(store, target), turn: turnOf(store, target, scope) }
}

/** `meant`: as runMeant says. Throws UnknownTarget. */
export function rangeOf(store: Store, target: Target, meant: RunPart | null, { to }: DiffRequest): Range {
  if (to) return rangeTo(store, target, to)
  if (target.kind === 'drift') return between(target.seq, target.endSeq)
  return meant ? rangeOfRun(store, meant) : rangeSincePrevious(store, target)
}

function between(fromSeq: Seq, toSeq: Seq): Range {
  return { prevCheckpointId: '', toCheckpointId: '', fromSeq, toSeq, workspaceDrifted: false, warning: '' }
}

function rangeTo(store: Store, target: Target, name: string): Range {
  const to = name === 'now' ? null : resolveTarget(store, name)
  return {
    prevCheckpointId: target.checkpoint ?? '',
    toCheckpointId: to?.checkpoint ?? '',
    fromSeq: target.seq,
    toSeq: to?.seq ?? null,
    workspaceDrifted: false,
    warning: ''
  }
}

function rangeOfRun(store: Store, { run: id, turn }: RunPart): Range {
  const run = findRun(store, id)
  if (!run) throw new DriftlineError('UnknownTarget', `No run "${id}" was recorded here.`, { target: id })
  const turnRow = turn
    ? (store.db.prepare('SELECT start_seq, end_seq FROM turn WHERE id = ?').get(turn) as {
        start_seq: number
        end_seq: number | null
      })
    : null
  const start = startOf(store, run, turn)
  return {
    prevCheckpointId: start?.id ?? '',
    toCheckpointId: run.end_checkpoint ?? '',
    fromSeq: turnRow?.start_seq ?? run.start_seq,
    toSeq: turnRow ? (turnRow.end_seq ?? store.records.lastSeq()) : (run.end_seq ?? store.records.lastSeq()),
    workspaceDrifted: run.drifted === 1,
    warning: [
      start ? '' : NO_START,
      start?.status === 'pruned' ? `${start.why}: what files held before this run may be gone.` : '',
      run.incomplete
        ? 'What some files held before this run may be missing: it began before the first copy was complete, or was cut off.'
        : ''
    ]
      .filter(Boolean)
      .join(' ')
  }
}

function rangeSincePrevious(store: Store, target: Target): Range {
  const previous = previousCheckpoint(store, target)
  return {
    prevCheckpointId: previous?.id ?? '',
    toCheckpointId: target.checkpoint ?? '',
    fromSeq: previous?.seq ?? 0,
    toSeq: target.seq,
    workspaceDrifted: false,
    warning: previous ? '' : 'There is no earlier checkpoint with changes: compared with the first copy.'
  }
}

const NO_START =
  'The checkpoint this run began with is missing from the history, so there is nothing it could be taken back to as a whole; its own changes are shown.'

/** [section 5] The authoritative before-side: the checkpoint recorded when the run, or the turn in it, began. Nothing that comes later moves it, and nothing else is guessed. */
function startOf(store: Store, run: RunRow, turn: string | null): CheckpointRow | null {
  const ofTurn = turn
    ? (store.db.prepare(`SELECT * FROM checkpoint WHERE turn = ? AND ${STARTS_TURN} ORDER BY n LIMIT 1`).get(turn) as
        | CheckpointRow
        | undefined)
    : undefined
  return ofTurn ?? findCheckpoint(store, run.start_checkpoint)
}

function runOf(store: Store, target: Target): string {
  if (target.run) return target.run
  const row = target.checkpoint
    ? (store.db.prepare('SELECT run FROM checkpoint WHERE id = ?').get(target.checkpoint) as { run: string | null })
    : null
  if (!row?.run)
    throw new DriftlineError('UnknownTarget', `"${target.id}" does not belong to a run.`, { target: target.id })
  return row.run
}

function turnOf(store: Store, target: Target, scope: DiffRequest['scope']): string | null {
  if (scope === 'run') return null
  if (target.kind === 'turn' || scope !== 'turn') return target.turn
  const row = target.checkpoint
    ? (store.db.prepare('SELECT turn FROM checkpoint WHERE id = ?').get(target.checkpoint) as { turn: string | null })
    : null
  return row?.turn ?? null
}

/** The newest earlier checkpoint at another position: of the same session when there is one, else of the workspace. */
function previousCheckpoint(store: Store, target: Target): { id: string; seq: number } | null {
  const session = target.checkpoint
    ? (
        store.db.prepare('SELECT session FROM checkpoint WHERE id = ?').get(target.checkpoint) as {
          session: string | null
        }
      ).session
    : null
  const find = (where: string, ...values: unknown[]): { id: string; seq: number } | undefined =>
    store.db
      .prepare(`SELECT id, seq FROM checkpoint WHERE seq < ? ${where} ORDER BY n DESC LIMIT 1`)
      .get(target.seq, ...values) as { id: string; seq: number } | undefined
  return (session ? find('AND session = ?', session) : undefined) ?? find('') ?? null
}
