/**
 * Resolves targets, the names that people give to positions of the log:
 *
 *     latest[:start|:end]   run_ID[:start|:end]   turn_ID[:start|:end]   cp_ID   rst_ID   dr_ID   seq:N   green
 *
 * `green` is the position at which tests passed last. An id may be any unique prefix. A run or turn without a side is its start; a restore or drift is the position before
 * it.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import { checkpointCauseText } from '../../../contract/words/checkpoints.ts'
import {
  beforeDriftTitle,
  checkpointTargetTitle,
  greenTitle,
  guardTitle,
  NEVER_GREEN,
  positionTitle,
  sideTitle
} from '../../../contract/words/targets.ts'
import { causeOf, findCheckpoint } from './checkpoints.ts'
import { findDriftRow } from './drifts.ts'
import { WITH_PREFIX } from './ids.ts'
import type { Store } from './open-store.ts'
import type { Head } from './paths.ts'
import { findRestore } from './restores.ts'
import { findRun, type RunRow } from './runs.ts'
import { column, scalar } from './sql.ts'
import { greenResult } from './test-results.ts'
import { findTurn } from './turns.ts'

export interface Target {
  readonly seq: Seq
  readonly kind: 'checkpoint' | 'run' | 'turn' | 'restore' | 'seq' | 'drift'
  readonly id: string
  /** For sentences: `start of "add tax"`. */
  readonly title: string
  /** When the log was at this position, ms UTC. */
  readonly at: number | null
  readonly run: string | null
  readonly turn: string | null
  readonly checkpoint: string | null
  /** End of the run or turn; of a drift its last edit; for others the seq itself. */
  readonly endSeq: Seq
  /** The target is the end of a run or turn, not its start. */
  readonly end: boolean
}

const NO_OWNER = { run: null, turn: null, checkpoint: null } as const

/** The name of a target that stays valid: with the whole id, and never `latest`. */
export function nameOf({ id, end }: Target): string {
  return end ? `${id}:end` : id
}

/** Throws UnknownTarget or AmbiguousTarget. */
export function resolveTarget(store: Store, text: string): Target {
  if (text.startsWith('seq:')) return seqTarget(store, text)
  if (text === 'green') return greenTarget(store)
  const [name = '', side, ...rest] = text.split(':')
  if (rest.length > 0 || (side !== undefined && side !== 'start' && side !== 'end')) throw unknownTarget(text)
  if (name === 'latest') return runTarget(store, latestRun(store, text), side)
  const prefix = name.slice(0, name.indexOf('_'))
  if (prefix === 'run') return runTarget(store, findId(store, 'run', text, name), side)
  if (prefix === 'turn') return turnTarget(store, findId(store, 'turn', text, name), side)
  // Only runs and turns have two sides.
  if (side) throw unknownTarget(text)
  switch (prefix) {
    case 'cp':
      return checkpointTarget(store, findId(store, 'checkpoint', text, name), 'checkpoint')
    case 'rst':
      return restoreTarget(store, findId(store, 'restore', text, name))
    case 'dr':
      return driftTarget(store, findId(store, 'drift', text, name))
    default:
      throw unknownTarget(text)
  }
}

function latestRun(store: Store, text: string): string {
  const id = scalar<string>(store, 'SELECT id FROM run ORDER BY n DESC LIMIT 1')
  if (id === null) throw new DriftlineError('UnknownTarget', 'No run has been recorded yet.', { target: text })
  return id
}

function seqTarget(store: Store, text: string): Target {
  const seq = Number(text.slice(4))
  if (!/^seq:\d{1,15}$/.test(text) || seq > store.records.lastSeq()) throw unknownTarget(text)
  return {
    ...NO_OWNER,
    seq,
    kind: 'seq',
    id: text,
    title: positionTitle(seq),
    at: scalar<number>(store, 'SELECT at FROM edit WHERE seq = ?', seq),
    endSeq: seq,
    end: false
  }
}

function greenTarget(store: Store): Target {
  const green = greenResult(store)
  if (!green) throw new DriftlineError('UnknownTarget', NEVER_GREEN, { target: 'green' })
  return { ...seqTarget(store, `seq:${green.seq}`), title: greenTitle(green.command), at: green.at }
}

/** While a run or turn is live, its end is the newest position. */
function sideOf(
  store: Store,
  span: Pick<RunRow, 'start_seq' | 'end_seq' | 'started_at' | 'ended_at'>,
  title: string,
  side: string | undefined
): Pick<Target, 'seq' | 'title' | 'at' | 'endSeq' | 'end'> {
  const endSeq = span.end_seq ?? store.records.lastSeq()
  return side === 'end'
    ? { seq: endSeq, title: sideTitle(title, true), at: span.ended_at, endSeq, end: true }
    : { seq: span.start_seq, title: sideTitle(title, false), at: span.started_at, endSeq, end: false }
}

function runTarget(store: Store, id: string, side: string | undefined): Target {
  const row = found(findRun(store, id), id)
  const position = sideOf(store, row, row.name, side)
  const checkpoint = position.end ? row.end_checkpoint : row.start_checkpoint
  return { ...position, kind: 'run', id, run: id, turn: null, checkpoint }
}

function turnTarget(store: Store, id: string, side: string | undefined): Target {
  const row = found(findTurn(store, id), id)
  const checkpoint = scalar<string>(store, 'SELECT id FROM checkpoint WHERE turn = ? ORDER BY n LIMIT 1', id)
  return { ...sideOf(store, row, row.prompt, side), kind: 'turn', id, run: row.run, turn: id, checkpoint }
}

function restoreTarget(store: Store, id: string): Target {
  const row = found(findRestore(store, id), id)
  return { ...checkpointTarget(store, row.guard, 'restore'), id, title: guardTitle(row.title) }
}

function driftTarget(store: Store, id: string): Target {
  const row = found(findDriftRow(store, id), id)
  return {
    ...NO_OWNER,
    seq: row.seq - 1,
    kind: 'drift',
    id,
    title: beforeDriftTitle(),
    at: row.found_at,
    endSeq: scalar<number>(store, 'SELECT max(seq) FROM edit WHERE drift = ?', id) ?? row.seq,
    end: false
  }
}

function checkpointTarget(store: Store, id: string, kind: 'checkpoint' | 'restore'): Target {
  const row = found(findCheckpoint(store, id), id)
  // [RS-18] A damaged content costs one path: the plan names it.
  if (row.status === 'pruned') {
    throw new DriftlineError(
      'UnknownTarget',
      `This checkpoint can no longer be restored: ${checkpointCauseText(causeOf(row))}.`,
      {
        target: id,
        status: row.status
      }
    )
  }
  return {
    ...NO_OWNER,
    seq: row.seq,
    kind,
    id,
    title: checkpointTargetTitle(row),
    at: row.at,
    checkpoint: id,
    endSeq: row.seq,
    end: false
  }
}

/** The id with this prefix; an exact match wins over longer ids. */
function findId(
  store: Store,
  table: 'run' | 'turn' | 'checkpoint' | 'restore' | 'drift',
  text: string,
  prefix: string
): string {
  const sql = `SELECT id FROM ${table} WHERE ${WITH_PREFIX} LIMIT 2`
  const [first, second] = column<string>(store, sql, prefix, prefix)
  if (!first) throw unknownTarget(text)
  if (second && first !== prefix)
    throw new DriftlineError('AmbiguousTarget', `"${prefix}" matches more than one id. Type more characters.`, {
      target: text
    })
  return first
}

/** The row of an id that another row or `findId` names. */
function found<Row>(row: Row | null, id: string): Row {
  if (row === null) throw new Error(`${id} is missing`)
  return row
}

function unknownTarget(text: string): DriftlineError {
  return new DriftlineError(
    'UnknownTarget',
    `"${text}" matches nothing recorded here. Run "driftline log" to list runs, checkpoints and restores.`,
    { target: text }
  )
}

/** The newest state of a path. Throws UnknownTarget if it was never recorded, neither as a file nor as a folder. */
export function recordedHead(store: Store, path: string): Head & { readonly version: number } {
  const head = store.records.head(path)
  if (head && head.version !== null) return { ...head, version: head.version }
  throw new DriftlineError('UnknownTarget', `${path} was never recorded in this folder.`, { path })
}
