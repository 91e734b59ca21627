/** Resolves a diff request: which two positions it compares, and whose changes between them it shows. */
import type { Params } from '../../../contract/api.ts'
import type { DiffResult } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import { type CheckpointRow, findCheckpoint, findCheckpointBefore, findTurnStart } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, type RunRow } from '../store/runs.ts'
import { resolveTarget, type Target } from '../store/targets.ts'
import { findTurn } from '../store/turns.ts'

export type DiffRequest = Omit<Params<'diff.files'>, 'workspace'>

/** A diff result without its files. */
export type DiffRange = Omit<DiffResult, 'files'>

/** A run, or one turn of it. */
export interface RunPart {
  readonly run: string
  readonly turn: string | null
}

/** The two positions that a request compares. Throws UnknownTarget and AmbiguousTarget. */
export function rangeOf(store: Store, request: DiffRequest): DiffRange {
  const target = resolveTarget(store, request.target)
  return resolveRange(store, target, resolveRun(store, target, request), request)
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
  const part = turn ? findTurn(store, turn) : null
  const start = startOf(store, run, turn)
  return {
    prevCheckpointId: start?.id ?? '',
    toCheckpointId: run.end_checkpoint ?? '',
    fromSeq: (part ?? run).start_seq,
    toSeq: (part ?? run).end_seq ?? store.records.lastSeq(),
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
  return (turn ? findTurnStart(store, turn) : null) ?? findCheckpoint(store, run.start_checkpoint)
}

function runOf(store: Store, target: Target): string {
  if (target.run) return target.run
  const run = checkpointOf(store, target)?.run
  if (!run) throw new DriftlineError('UnknownTarget', `"${target.id}" does not belong to a run.`, { target: target.id })
  return run
}

function turnOf(store: Store, target: Target, scope: DiffRequest['scope']): string | null {
  if (scope === 'run') return null
  if (target.kind === 'turn' || scope !== 'turn') return target.turn
  return checkpointOf(store, target)?.turn ?? null
}

function checkpointOf(store: Store, { checkpoint }: Target): CheckpointRow | null {
  return checkpoint ? findCheckpoint(store, checkpoint) : null
}

/** The newest checkpoint at an earlier position: of the same session if there is one, else of the workspace. */
function previousCheckpoint(store: Store, target: Target): CheckpointRow | null {
  const session = checkpointOf(store, target)?.session ?? null
  return (
    (session ? findCheckpointBefore(store, target.seq, session) : null) ?? findCheckpointBefore(store, target.seq, null)
  )
}
