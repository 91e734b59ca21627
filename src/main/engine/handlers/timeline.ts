/** The timeline: one list over runs, pins, restores and outside changes, newest first. */

import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Todo, Turn } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { EntryDetail, TimelineEntry } from '../../../contract/timeline.ts'
import { type CheckpointRow, findCheckpoint, toCheckpoint } from '../checkpoints/checkpoints.ts'
import { runTotals } from '../diff/totals.ts'
import { findDrift } from '../drift/drifts.ts'
import { conversationRestored } from '../restore/conversation.ts'
import { filesRestored, findRestore, type RestoreRow } from '../restore/journal.ts'
import { promptOf } from '../sessions/conversation.ts'
import { warningsOf } from '../sessions/run-warnings.ts'
import { findRun, type RunRow, turnsOf } from '../sessions/runs.ts'
import { findSession, todosOfSession } from '../sessions/sessions.ts'
import { toCalls } from '../sessions/told-calls.ts'
import { callsOf } from '../sessions/tool-calls.ts'
import type { EntryKind } from '../store/entries.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { Handlers } from './handler.ts'

interface EntryRow {
  readonly n: number
  readonly kind: EntryKind
  readonly id: string
}

export const TIMELINE: Handlers<'timeline.list' | 'entry.show'> = {
  'timeline.list': ({ registry }, { workspace, limit, before, kinds, text }) => {
    const { store } = registry.open(workspace)
    const start = before
      ? (store.db.prepare('SELECT n FROM entry WHERE id = ?').get(before) as { n: number } | undefined)
      : undefined
    if (before && !start)
      throw new DriftlineError('UnknownTarget', `There is no entry "${before}".`, { target: before })
    const { where, values } = filterOf(kinds, text)
    const rows = store.db
      .prepare(`SELECT e.* FROM entry e WHERE ${where} AND e.n < ? ORDER BY e.n DESC LIMIT ?`)
      .all(...values, start?.n ?? Number.MAX_SAFE_INTEGER, limit + 1) as EntryRow[]
    const { total } = store.db.prepare(`SELECT count(*) AS total FROM entry e WHERE ${where}`).get(...values) as {
      total: number
    }
    return {
      entries: rows.slice(0, limit).map((row) => toEntry(store, row.kind, row.id)),
      more: rows.length > limit,
      total
    }
  },
  'entry.show': ({ registry }, { workspace, target }): EntryDetail => {
    const open = registry.open(workspace)
    const { store } = open
    const resolved = resolveTarget(store, target)
    const kind: EntryKind = resolved.kind === 'turn' ? 'run' : resolved.kind === 'seq' ? 'checkpoint' : resolved.kind
    if (resolved.kind === 'seq')
      throw new DriftlineError(
        'UnknownTarget',
        `"${target}" is a position, not an entry. Use it with diff, cat or restore.`,
        { target }
      )
    const id = resolved.kind === 'turn' ? (resolved.run as string) : resolved.id
    open.refreshWorktrees()
    return {
      entry: toEntry(store, kind, id),
      checkpoints: checkpointsOf(store, kind, id),
      turns: kind === 'run' ? turnList(store, id) : [],
      ...(kind === 'run'
        ? { calls: toCalls(store, callsOf(store, id)), todos: todosOfRun(store, id), warnings: warningsOf(open, id) }
        : {})
    }
  }
}

function todosOfRun(store: Store, id: string): Todo[] {
  const session = findRun(store, id)?.session
  const row = session ? findSession(store, session) : null
  return row ? todosOfSession(row).map(({ text, status }) => ({ text, status })) : []
}

/** What a person may be looking for: a prompt, an agent, a pin's label, a restore's title, a path changed outside. */
function filterOf(
  kinds: readonly EntryKind[] | undefined,
  text: string | undefined
): { where: string; values: string[] } {
  const wanted = kinds ?? ['run', 'checkpoint', 'restore', 'drift']
  const ofKind = `e.kind IN (${wanted.map(() => '?').join(',')})`
  if (!text) return { where: ofKind, values: [...wanted] }
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const matches = (column: string): string => `${column} LIKE ? ESCAPE '\\'`
  return {
    where: `${ofKind} AND (
      EXISTS (SELECT 1 FROM run r WHERE r.id = e.id AND (${matches('r.title')} OR ${matches('r.agent')}))
      OR EXISTS (SELECT 1 FROM checkpoint c WHERE c.id = e.id AND ${matches('c.label')})
      OR EXISTS (SELECT 1 FROM restore x WHERE x.id = e.id AND ${matches('x.title')})
      OR (e.kind = 'drift' AND EXISTS (SELECT 1 FROM edit d JOIN path p ON p.id = d.path WHERE d.drift = e.id AND ${matches('p.name')})))`,
    values: [...wanted, like, like, like, like, like]
  }
}

function toEntry(store: Store, kind: EntryKind, id: string): TimelineEntry {
  switch (kind) {
    case 'run':
      return runEntry(store, findRun(store, id) as RunRow)
    case 'checkpoint': {
      const row = findCheckpoint(store, id) as CheckpointRow
      return {
        kind,
        id,
        seq: row.seq,
        at: row.at,
        title: row.label || 'Checkpoint',
        reason: row.reason,
        session: row.session
      }
    }
    case 'restore':
      return restoreEntry(store, findRestore(store, id) as RestoreRow)
    case 'drift': {
      const drift = findDrift(store, id)
      if (!drift) throw new Error(`drift ${id} is missing`)
      const title =
        drift.count === 1 ? '1 file changed outside' : `${drift.count.toLocaleString('en')} files changed outside`
      return {
        kind,
        id,
        seq: drift.seq,
        at: drift.foundAt,
        title,
        state: drift.state,
        cause: drift.cause,
        note: drift.note,
        paths: drift.paths.slice(0, 5),
        count: drift.count
      }
    }
  }
}

function runEntry(store: Store, run: RunRow): TimelineEntry {
  const turns = store.db.prepare('SELECT count(*) AS n FROM turn WHERE run = ?').get(run.id) as { n: number }
  const live = run.state === 'live'
  const files = live
    ? (
        store.db
          .prepare('SELECT count(DISTINCT e.path) AS n FROM edit_call c JOIN edit e ON e.seq = c.edit WHERE c.run = ?')
          .get(run.id) as { n: number }
      ).n
    : run.files
  return {
    kind: 'run',
    id: run.id,
    seq: run.end_seq ?? store.records.lastSeq(),
    at: run.started_at,
    title: run.title,
    agent: run.agent,
    session: run.session,
    state: run.state,
    endedAt: run.ended_at,
    turns: turns.n,
    files,
    added: run.added,
    deleted: run.deleted,
    takenBack: run.taken_back === 1,
    incomplete: run.incomplete === 1,
    exitCode: run.exit_code,
    note: run.note
  }
}

function restoreEntry(store: Store, row: RestoreRow): TimelineEntry {
  const guard = findCheckpoint(store, row.guard)
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
    files: filesRestored(store, row.id),
    undone: row.undone_by !== null,
    ...conversationRestored(store, row)
  }
}

function checkpointsOf(store: Store, kind: EntryKind, id: string): Checkpoint[] {
  const sql =
    kind === 'run'
      ? 'SELECT * FROM checkpoint WHERE run = ? ORDER BY n'
      : kind === 'restore'
        ? 'SELECT c.* FROM checkpoint c JOIN restore r ON r.guard = c.id WHERE r.id = ?'
        : 'SELECT * FROM checkpoint WHERE id = ?'
  return (store.db.prepare(sql).all(id) as CheckpointRow[]).map((row) => toCheckpoint(store, row))
}

export function turnList(store: Store, run: string): Turn[] {
  const turns = turnsOf(store, run)
  const whole = findRun(store, run)
  // The one turn of a run that ended is the run, which was counted then.
  const count = (turn: string): number =>
    turns.length === 1 && whole?.ended_at ? whole.files : runTotals(store, run, turn).files
  return turns.map((turn) => ({
    id: turn.id,
    prompt: turn.prompt,
    at: turn.started_at,
    endedAt: turn.ended_at,
    startSeq: turn.start_seq,
    files: count(turn.id),
    session: whole?.session ?? null,
    message: promptOf(store, whole?.session ?? null, turn.id)
  }))
}
