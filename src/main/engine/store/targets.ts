/**
 * Resolves targets, the names that people give to positions of the log:
 *
 *     latest[:start|:end]   run_ID[:start|:end]   turn_ID[:start|:end]   cp_ID   rst_ID   dr_ID   seq:N
 *
 * An id may be any unique prefix. A run or turn without a side is its start; a restore or drift is the position before it.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import type { Store } from './open-store.ts'

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

/** Throws UnknownTarget or AmbiguousTarget. */
export function resolveTarget(store: Store, text: string): Target {
  if (text.startsWith('seq:')) return seqTarget(store, text)
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
  const row = store.db.prepare('SELECT id FROM run ORDER BY n DESC LIMIT 1').get() as { id: string } | undefined
  if (!row) throw new DriftlineError('UnknownTarget', 'No run has been recorded yet.', { target: text })
  return row.id
}

function seqTarget(store: Store, text: string): Target {
  const seq = Number(text.slice(4))
  if (!/^seq:\d{1,15}$/.test(text) || seq > store.records.lastSeq()) throw unknownTarget(text)
  const row = store.db.prepare('SELECT at FROM edit WHERE seq = ?').get(seq) as { at: number } | undefined
  return {
    ...NO_OWNER,
    seq,
    kind: 'seq',
    id: text,
    title: `position ${seq}`,
    at: row?.at ?? null,
    endSeq: seq,
    end: false
  }
}

/** Columns of a run or a turn. */
interface Span {
  readonly start_seq: number
  /** Null while it is live; its end is then the newest position. */
  readonly end_seq: number | null
  readonly started_at: number
  readonly ended_at: number | null
}

function sideOf(
  store: Store,
  span: Span,
  title: string,
  side: string | undefined
): Pick<Target, 'seq' | 'title' | 'at' | 'endSeq' | 'end'> {
  const endSeq = span.end_seq ?? store.records.lastSeq()
  return side === 'end'
    ? { seq: endSeq, title: `end of "${title}"`, at: span.ended_at, endSeq, end: true }
    : { seq: span.start_seq, title: `start of "${title}"`, at: span.started_at, endSeq, end: false }
}

function runTarget(store: Store, id: string, side: string | undefined): Target {
  const row = store.db.prepare('SELECT * FROM run WHERE id = ?').get(id) as Span & {
    title: string
    start_checkpoint: string
    end_checkpoint: string | null
  }
  const position = sideOf(store, row, row.title, side)
  const checkpoint = position.end ? row.end_checkpoint : row.start_checkpoint
  return { ...position, kind: 'run', id, run: id, turn: null, checkpoint }
}

function turnTarget(store: Store, id: string, side: string | undefined): Target {
  const row = store.db.prepare('SELECT * FROM turn WHERE id = ?').get(id) as Span & { run: string; prompt: string }
  const checkpoint = store.db.prepare('SELECT id FROM checkpoint WHERE turn = ? ORDER BY n LIMIT 1').get(id) as
    | { id: string }
    | undefined
  return {
    ...sideOf(store, row, row.prompt, side),
    kind: 'turn',
    id,
    run: row.run,
    turn: id,
    checkpoint: checkpoint?.id ?? null
  }
}

function restoreTarget(store: Store, id: string): Target {
  const row = store.db.prepare('SELECT guard, title FROM restore WHERE id = ?').get(id) as {
    guard: string
    title: string
  }
  return { ...checkpointTarget(store, row.guard, 'restore'), id, title: `before the restore to ${row.title}` }
}

function driftTarget(store: Store, id: string): Target {
  const row = store.db.prepare('SELECT seq, found_at FROM drift WHERE id = ?').get(id) as {
    seq: number
    found_at: number
  }
  const last = store.db.prepare('SELECT max(seq) AS seq FROM edit WHERE drift = ?').get(id) as { seq: number | null }
  return {
    ...NO_OWNER,
    seq: row.seq - 1,
    kind: 'drift',
    id,
    title: 'before the outside changes',
    at: row.found_at,
    endSeq: last.seq ?? row.seq,
    end: false
  }
}

function checkpointTarget(store: Store, id: string, kind: 'checkpoint' | 'restore'): Target {
  const row = store.db.prepare('SELECT seq, at, label, reason, status, why FROM checkpoint WHERE id = ?').get(id) as {
    seq: number
    at: number
    label: string
    reason: string
    status: string
    why: string
  }
  if (row.status === 'pruned' || row.status === 'broken') {
    throw new DriftlineError('UnknownTarget', `This checkpoint can no longer be restored: ${row.why}.`, {
      target: id,
      status: row.status
    })
  }
  return {
    ...NO_OWNER,
    seq: row.seq,
    kind,
    id,
    title: row.label === '' ? (REASON_TITLES[row.reason] ?? 'checkpoint') : `"${row.label}"`,
    at: row.at,
    checkpoint: id,
    endSeq: row.seq,
    end: false
  }
}

const REASON_TITLES: Readonly<Record<string, string>> = {
  run_start: 'start of a run',
  end_of_turn: 'end of a turn',
  manual: 'a pinned checkpoint',
  pre_restore_guard: 'before a restore'
}

/** The id with this prefix; an exact match wins over longer ids. */
function findId(
  store: Store,
  table: 'run' | 'turn' | 'checkpoint' | 'restore' | 'drift',
  text: string,
  prefix: string
): string {
  const rows = store.db
    .prepare(`SELECT id FROM ${table} WHERE substr(id, 1, ?) = ? ORDER BY id = ? DESC LIMIT 2`)
    .all(prefix.length, prefix, prefix) as { id: string }[]
  const [first, second] = rows
  if (!first) throw unknownTarget(text)
  if (second && first.id !== prefix)
    throw new DriftlineError('AmbiguousTarget', `"${prefix}" matches more than one id. Type more characters.`, {
      target: text
    })
  return first.id
}

function unknownTarget(text: string): DriftlineError {
  return new DriftlineError(
    'UnknownTarget',
    `"${text}" matches nothing recorded here. Run "driftline log" to list runs, checkpoints and restores.`,
    { target: text }
  )
}
