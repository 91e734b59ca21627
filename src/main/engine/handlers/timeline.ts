/** The timeline: one list of runs, pins, restores and drift, newest first. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Todo } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { EntryDetail, RunWarning } from '../../../contract/timeline.ts'
import { isTranscriptRefused } from '../agents/agent-files.ts'
import { toCheckpoint } from '../checkpoints/checkpoints.ts'
import { describeCalls } from '../runs/describe-calls.ts'
import { warningsOf } from '../runs/run-warnings.ts'
import { checkpointsOfRun, findCheckpoint } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { findRestore } from '../store/restores.ts'
import { reviewsSentTo } from '../store/reviews.ts'
import { findRun } from '../store/runs.ts'
import { findSession, todosOfSession } from '../store/sessions.ts'
import { resolveTarget } from '../store/targets.ts'
import {
  countEntries,
  type EntryFilter,
  type EntryKind,
  findEntry,
  listEntries,
  oldestEntries
} from '../store/timeline.ts'
import { callsOf } from '../store/tool-calls.ts'
import { endDeadRunsFirst } from '../workspaces/dead-runs.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'
import { describeTurns, toEntry } from './timeline-entries.ts'

const USE_POSITION = 'Use it with diff, cat or restore.'
const ALL_ENTRIES: EntryFilter = {
  kinds: ['run', 'checkpoint', 'restore', 'drift'],
  text: '',
  agent: '',
  since: 0,
  undecided: false,
  path: '',
  conflicts: false
}

export const TIMELINE: WorkspaceHandlers<'timeline.list' | 'entry.show'> = {
  'timeline.list': async (open, { limit, before, oldest, countLive, ...wanted }) => {
    await endDeadRunsFirst(open)
    const { store } = open
    const start = before ? findEntry(store, before) : null
    if (before && !start)
      throw new DriftlineError('UnknownTarget', `The timeline has no entry "${before}".`, { target: before })
    const filter: EntryFilter = { ...ALL_ENTRIES, ...wanted }
    const rows = oldest
      ? oldestEntries(store, filter, limit + 1)
      : listEntries(store, filter, start?.n ?? Number.MAX_SAFE_INTEGER, limit + 1)
    const more = rows.length > limit
    const listed = oldest ? rows.slice(more ? 1 : 0) : rows.slice(0, limit)
    return {
      entries: listed.map((row) => toEntry(store, row.kind, row.id, countLive)),
      more,
      // A list that is complete need not be counted, which tries every entry.
      total: more || start ? countEntries(store, filter) : listed.length
    }
  },
  'entry.show': async (open, { target, countLive }): Promise<EntryDetail> => {
    await endDeadRunsFirst(open)
    const { store } = open
    const resolved = resolveTarget(store, target)
    if (resolved.kind === 'seq')
      throw new DriftlineError('UnknownTarget', `"${target}" is a position, not an entry. ${USE_POSITION}`, { target })
    // A turn is part of its run's entry.
    const kind: EntryKind = resolved.kind === 'turn' ? 'run' : resolved.kind
    const id = resolved.kind === 'turn' ? (resolved.run as string) : resolved.id
    open.refreshWorktrees()
    return {
      entry: toEntry(store, kind, id, countLive),
      checkpoints: checkpointsOf(store, kind, id),
      turns: kind === 'run' ? describeTurns(store, id) : [],
      ...(kind === 'run'
        ? {
            calls: describeCalls(store, callsOf(store, id)),
            todos: todosOfRun(store, id),
            reviews: reviewsSentTo(store, id),
            warnings: [...warningsOf(open, id), ...transcriptWarnings(open, id)]
          }
        : {})
    }
  }
}

/** [PR-3] The conversation of the run's session is missing, and why. */
function transcriptWarnings(open: OpenWorkspace, id: string): RunWarning[] {
  const session = findSession(open.store, findRun(open.store, id)?.session ?? '')
  return session && isTranscriptRefused(open, session) ? [{ code: 'transcript-not-read' }] : []
}

function todosOfRun(store: Store, id: string): Todo[] {
  const session = findRun(store, id)?.session
  const row = session ? findSession(store, session) : null
  return row ? todosOfSession(row).map(({ text, status }) => ({ text, status })) : []
}

/** All of a run, the guard of a restore, or the pin itself. */
function checkpointsOf(store: Store, kind: EntryKind, id: string): Checkpoint[] {
  const found = kind === 'restore' ? findRestore(store, id)?.guard : id
  const rows = kind === 'run' ? checkpointsOfRun(store, id) : [findCheckpoint(store, found ?? id)]
  return rows.flatMap((row) => (row ? [toCheckpoint(store, row)] : []))
}
