/** One conversation with its turns, tool calls and checkpoints, or only what is new since an earlier answer. */
import type { SessionDetail, SessionTurn } from '../../../contract/conversation.ts'
import { toCheckpoint } from '../checkpoints/checkpoints.ts'
import { describeSessionCalls } from '../runs/describe-calls.ts'
import { encodeMark, type ListOutlines, rowsSince } from '../runs/session-updates.ts'
import { type CheckpointRow, checkpointsOfSession, turnStartInRun } from '../store/checkpoints.ts'
import { promptSeqsByTurn } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'
import { callsOfSession, type ToolCallRow } from '../store/tool-calls.ts'
import { turnsOfSession } from '../store/turns.ts'
import { describeTurns } from './timeline-entries.ts'

/**
 * `since`: the mark of an earlier answer. The outlines of all lists are read, which is cheap; full rows, which need
 * more queries each, are built only for what is sent.
 */
export function describeSession(
  store: Store,
  row: SessionRow,
  since: string | undefined
): Omit<SessionDetail, 'session' | 'revision' | 'todos' | 'plan'> {
  const turns = turnOutlines(store, row)
  const calls = callsOfSession(store, row.id, isFork(row))
  const checkpoints = checkpointsOfSession(store, row.id)
  const outlines = outlinesOf(turns, calls, checkpoints)
  const fresh = {
    turns: rowsSince('turns', turns, outlines, since),
    calls: rowsSince('calls', calls, outlines, since),
    checkpoints: rowsSince('checkpoints', checkpoints, outlines, since)
  }
  const sentCalls = describeSessionCalls(store, fresh.calls.rows)
  const uncounted = new Set(sentCalls.filter((call) => !call.counted).map((call) => call.id))
  return {
    turns: readTurns(store, row, fresh.turns.rows),
    calls: sentCalls,
    checkpoints: fresh.checkpoints.rows.map((checkpoint) => toCheckpoint(store, checkpoint)),
    from: {
      turns: fresh.turns.from,
      calls: fresh.calls.from,
      checkpoints: fresh.checkpoints.from
    },
    // Calls that are not counted yet are marked as open, so that the next answer contains them again.
    mark: encodeMark({
      ...outlines,
      calls: outlines.calls.map((call) => (uncounted.has(call.id) ? { ...call, open: true } : call))
    })
  }
}

function outlinesOf(
  turns: readonly TurnOutline[],
  calls: readonly ToolCallRow[],
  checkpoints: readonly CheckpointRow[]
): ListOutlines {
  return {
    turns,
    calls: calls.map(({ id, state, closed_at, paths }) => ({
      id,
      values: [state, closed_at, paths].join(' '),
      open: closed_at === null
    })),
    checkpoints: checkpoints.map(({ id, status, why, label, revision }) => ({
      id,
      values: [status, why, label, revision].join(' '),
      open: false
    }))
  }
}

interface TurnOutline {
  readonly id: string
  readonly run: string
  /** Seq of its prompt. */
  readonly message: number | null
  readonly values: string
  readonly open: boolean
}

function turnOutlines(store: Store, row: SessionRow): TurnOutline[] {
  const prompts = promptSeqsByTurn(store, row.id)
  return turnsOfSession(store, row.id, isFork(row)).flatMap(({ id, run, session, prompt, ended_at, state, files }) => {
    const message = prompts.get(id) ?? null
    if (session !== row.id && message === null) return []
    const values = [prompt, ended_at, state, files, message].join(' ')
    return [{ id, run, message, values, open: ended_at === null || state === 'live' }]
  })
}

function readTurns(store: Store, row: SessionRow, outlines: readonly TurnOutline[]): SessionTurn[] {
  const outlineById = new Map(outlines.map((outline) => [outline.id, outline]))
  return [...new Set(outlines.map(({ run }) => run))].flatMap((run) =>
    describeTurns(store, run).flatMap((turn) => {
      const outline = outlineById.get(turn.id)
      if (!outline) return []
      const checkpoint = turnStartInRun(store, run, turn.id)
      return [{ ...turn, session: row.id, message: outline.message, run, checkpoint }]
    })
  )
}

/** A fork also has the turns of the messages that it copied from its original. */
function isFork(row: SessionRow): boolean {
  return row.forked_from !== ''
}
