/** Resolves a diff request: which two positions it compares, and whose changes between them it shows. */
import type { Params } from '../../../contract/api.ts'
import type { DiffResult } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import { type CheckpointRow, findCheckpoint } from '../checkpoints/checkpoints.ts'
import { findRun, type RunRow, STARTS_TURN } from '../store/runs.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget, type Target } from '../store/targets.ts'

export type DiffRequest = Omit<Params<'diff.files'>, 'workspace'>

/** A diff result without its files. */
export type DiffRange = Omit<DiffResult, 'files'>

/** A run, or one turn of it. */
export interface RunPart {
  readonly run: string
  readonly turn: string | null
}

/** The run whose own changes are requested; null for everything between two positions. Throws UnknownTarget. */
export function resolveRun(store: Store, target: Target, { scope, to }: DiffRequest): RunPart | null {
  if (to || scope === 'checkpoint') return null
  if (scope === undefined && target.kind !== 'run' && target.kind !== 'turn') return null
  return { run: runOf(store, target), turn: turnOf(store, target, scope) }
}

/** `run`: the result of `resolveRun`. Throws UnknownTarget. */
export function resolveRange(store: Store, target: Target, run: RunPart | null, { to }: DiffRequest): DiffRange {
  if (to) return rangeTo(store, target, to)
  if (target.kind === 'drift') return rangeBetween(target.seq, target.endSeq)
  return run ? rangeOfRun(store, run) : rangeSincePrevious(store, target)
}

function rangeBetween(fromSeq: Seq, toSeq: Seq): DiffRange {
  return { prevCheckpointId: '', toCheckpointId: '', fromSeq, toSeq, workspaceDrifted: false, warning: '' }
}

function rangeTo(store: Store, target: Target, name: string): DiffRange {
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

function rangeOfRun(store: Store, { run: id, turn }: RunPart): DiffRange {
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
      start?.status === 'pruned' ? `${start.why}: earlier versions of files may no longer be stored.` : '',
      run.incomplete
        ? 'Earlier versions of some files may be missing: this run began before the initial snapshot was complete, or was interrupted.'
        : ''
    ]
      .filter(Boolean)
      .join(' ')
  }
}

function rangeSincePrevious(store: Store, target: Target): DiffRange {
  const previous = previousCheckpoint(store, target)
  return {
    prevCheckpointId: previous?.id ?? '',
    toCheckpointId: target.checkpoint ?? '',
    fromSeq: previous?.seq ?? 0,
    toSeq: target.seq,
    workspaceDrifted: false,
    warning: previous ? '' : 'There is no earlier checkpoint with changes. Compared with the initial snapshot.'
  }
}

const NO_START =
  'The checkpoint at the start of this run is missing from the history, so the run cannot be undone as a whole. Its own changes are shown.'

/** The old side of the diff: the checkpoint recorded when the run, or the turn in it, began. Later events never move it, and without it nothing is guessed. */
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

/** The newest checkpoint at an earlier position: of the same session if there is one, else of the workspace. */
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
