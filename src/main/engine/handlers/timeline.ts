/** The timeline: one list of runs, pins, restores and drift, newest first. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Todo } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { EntryDetail } from '../../../contract/timeline.ts'
import { type CheckpointRow, toCheckpoint } from '../checkpoints/checkpoints.ts'
import { describeCalls } from '../runs/describe-calls.ts'
import { warningsOf } from '../runs/run-warnings.ts'
import { findRun } from '../runs/runs.ts'
import { findSession, todosOfSession } from '../runs/sessions.ts'
import { callsOf } from '../runs/tool-calls.ts'
import type { EntryKind } from '../store/entries.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { Handlers } from './handler.ts'
import { describeTurns, toEntry } from './timeline-entries.ts'

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
      throw new DriftlineError('UnknownTarget', `The timeline has no entry "${before}".`, { target: before })
    const { where, values } = entryFilter(kinds, text)
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
    if (resolved.kind === 'seq')
      throw new DriftlineError(
        'UnknownTarget',
        `"${target}" is a position, not an entry. Use it with diff, cat or restore.`,
        { target }
      )
    // A turn is part of its run's entry.
    const kind: EntryKind = resolved.kind === 'turn' ? 'run' : resolved.kind
    const id = resolved.kind === 'turn' ? (resolved.run as string) : resolved.id
    open.refreshWorktrees()
    return {
      entry: toEntry(store, kind, id),
      checkpoints: checkpointsOf(store, kind, id),
      turns: kind === 'run' ? describeTurns(store, id) : [],
      ...(kind === 'run'
        ? {
            calls: describeCalls(store, callsOf(store, id)),
            todos: todosOfRun(store, id),
            warnings: warningsOf(open, id)
          }
        : {})
    }
  }
}

function todosOfRun(store: Store, id: string): Todo[] {
  const session = findRun(store, id)?.session
  const row = session ? findSession(store, session) : null
  return row ? todosOfSession(row).map(({ text, status }) => ({ text, status })) : []
}

/** SQL condition on `entry e`. `text` matches prompts, agents, labels of pins, titles of restores, and paths of drift. */
function entryFilter(
  kinds: readonly EntryKind[] | undefined,
  text: string | undefined
): { where: string; values: string[] } {
  const included = kinds ?? ['run', 'checkpoint', 'restore', 'drift']
  const ofKind = `e.kind IN (${included.map(() => '?').join(',')})`
  if (!text) return { where: ofKind, values: [...included] }
  // `%` and `_` are wildcards of LIKE, so those a person typed are escaped.
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const matches = (column: string): string => `${column} LIKE ? ESCAPE '\\'`
  return {
    where: `${ofKind} AND (
      EXISTS (SELECT 1 FROM run r WHERE r.id = e.id AND (${matches('r.title')} OR ${matches('r.agent')}))
      OR EXISTS (SELECT 1 FROM checkpoint c WHERE c.id = e.id AND ${matches('c.label')})
      OR EXISTS (SELECT 1 FROM restore x WHERE x.id = e.id AND ${matches('x.title')})
      OR (e.kind = 'drift' AND EXISTS (SELECT 1 FROM edit d JOIN path p ON p.id = d.path WHERE d.drift = e.id AND ${matches('p.name')})))`,
    values: [...included, like, like, like, like, like]
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
