/** Targets as people name them (CLI.md), resolved to positions of the log. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import type { Store } from './open-store.ts'

export interface Target {
  readonly seq: Seq
  readonly kind: 'checkpoint' | 'run' | 'turn' | 'restore' | 'seq' | 'drift'
  readonly id: string
  /** For sentences: `start of "add tax"`. */
  readonly title: string
  readonly at: number | null
  readonly run: string | null
  readonly turn: string | null
  readonly checkpoint: string | null
  /** End of the run or turn; the seq itself for others. */
  readonly endSeq: Seq
  /** It names the end of a run or turn, not its start. */
  readonly end: boolean
}

/** Resolves a target; ids may be any unique prefix. Throws UnknownTarget or AmbiguousTarget. */
export function resolveTarget(store: Store, text: string): Target {
  if (text.startsWith('seq:')) return seqTarget(store, text)
  const [name, side, ...rest] = text.split(':')
  if (rest.length > 0 || (side !== undefined && side !== 'start' && side !== 'end')) throw unknown(text)
  if (name === 'latest') {
    const row = store.db.prepare('SELECT id FROM run ORDER BY n DESC LIMIT 1').get() as { id: string } | undefined
    if (!row)
      throw new DriftlineError('UnknownTarget', 'No run has been recorded yet, so there is no latest one.', {
        target: text
      })
    return runTarget(store, row.id, side)
  }
  const prefix = name?.slice(0, name.indexOf('_')) ?? ''
  switch (prefix) {
    case 'run':
      return runTarget(store, find(store, 'run', text, name as string), side)
    case 'turn':
      return turnTarget(store, find(store, 'turn', text, name as string), side)
    case 'cp':
      if (side) throw unknown(text)
      return checkpointTarget(store, find(store, 'checkpoint', text, name as string), 'checkpoint')
    case 'rst': {
      if (side) throw unknown(text)
      const id = find(store, 'restore', text, name as string)
      const row = store.db.prepare('SELECT guard, title FROM restore WHERE id = ?').get(id) as {
        guard: string
        title: string
      }
      return { ...checkpointTarget(store, row.guard, 'restore'), id, title: `before the restore to ${row.title}` }
    }
    case 'dr': {
      if (side) throw unknown(text)
      const id = find(store, 'drift', text, name as string)
      const row = store.db.prepare('SELECT seq, found_at FROM drift WHERE id = ?').get(id) as {
        seq: number
        found_at: number
      }
      const last = store.db.prepare('SELECT max(seq) AS seq FROM edit WHERE drift = ?').get(id) as {
        seq: number | null
      }
      return {
        seq: row.seq - 1,
        kind: 'drift',
        id,
        title: 'before the outside changes',
        at: row.found_at,
        run: null,
        turn: null,
        checkpoint: null,
        endSeq: last.seq ?? row.seq,
        end: false
      }
    }
    default:
      throw unknown(text)
  }
}

function seqTarget(store: Store, text: string): Target {
  const seq = Number(text.slice(4))
  if (!/^seq:\d{1,15}$/.test(text) || seq > store.records.lastSeq()) throw unknown(text)
  const row = store.db.prepare('SELECT at FROM edit WHERE seq = ?').get(seq) as { at: number } | undefined
  return {
    seq,
    kind: 'seq',
    id: text,
    title: `position ${seq}`,
    at: row?.at ?? null,
    run: null,
    turn: null,
    checkpoint: null,
    endSeq: seq,
    end: false
  }
}

/** A row of what has a start and an end in the log: a run or a turn. */
interface Span {
  readonly start_seq: number
  readonly end_seq: number | null
  readonly started_at: number
  readonly ended_at: number | null
}

/** The end that was asked for, else the start. */
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
  const at = sideOf(store, row, row.title, side)
  return {
    ...at,
    kind: 'run',
    id,
    run: id,
    turn: null,
    checkpoint: at.end ? row.end_checkpoint : row.start_checkpoint
  }
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
    throw new DriftlineError('UnknownTarget', `That checkpoint cannot be restored any more: ${row.why}.`, {
      target: id,
      status: row.status
    })
  }
  return {
    seq: row.seq,
    kind,
    id,
    title: row.label === '' ? (REASON_TITLES[row.reason] ?? 'checkpoint') : `"${row.label}"`,
    at: row.at,
    run: null,
    turn: null,
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

function find(
  store: Store,
  table: 'run' | 'turn' | 'checkpoint' | 'restore' | 'drift',
  text: string,
  prefix: string
): string {
  const rows = store.db
    .prepare(`SELECT id FROM ${table} WHERE substr(id, 1, ?) = ? ORDER BY id = ? DESC LIMIT 2`)
    .all(prefix.length, prefix, prefix) as { id: string }[]
  const [first, second] = rows
  if (!first) throw unknown(text)
  if (second && first.id !== prefix)
    throw new DriftlineError('AmbiguousTarget', `"${prefix}" fits more than one entry. Write more of its letters.`, {
      target: text
    })
  return first.id
}

function unknown(text: string): DriftlineError {
  return new DriftlineError(
    'UnknownTarget',
    `"${text}" names nothing that was recorded here. "driftline log" lists what can be named.`,
    { target: text }
  )
}
