/**
 * Which messages of a session are in force at a revision: the chain of parents from there. Nearly all messages follow
 * the one before them, so the chain is a few ranges of seqs; only the messages that do not are read (message_jump).
 */
import { isInForce, type SeqRanges } from '../../../contract/conversation.ts'
import { findMessage, type MessageRow, SESSION_N } from './messages.ts'
import type { Store } from './open-store.ts'
import { column, count, tuples } from './sql.ts'

export function rangesInForce(store: Store, session: string, revision: number): SeqRanges {
  const sql = `SELECT seq, parent FROM message WHERE session = ${SESSION_N} AND parent <> seq - 1 AND seq <= ? ORDER BY seq DESC`
  const ranges: [number, number][] = []
  let to = revision
  for (const [seq, parent] of tuples<[seq: number, parent: number]>(store, sql, session, revision)) {
    if (seq > to) continue
    ranges.push([seq, to])
    to = parent
  }
  if (to > 0) ranges.push([1, to])
  return ranges
}

/** Number of messages that are in `ranges` and not in `others`, without deleted ones. */
export function countOnlyIn(store: Store, session: string, ranges: SeqRanges, others: SeqRanges): number {
  const sql = `SELECT count(*) FROM message WHERE session = ${SESSION_N} AND seq BETWEEN ? AND ? AND size > 0`
  return without(ranges, others).reduce((sum, [from, to]) => sum + count(store, sql, session, from, to), 0)
}

function without(ranges: SeqRanges, others: SeqRanges): SeqRanges {
  return others.reduce<SeqRanges>(
    (left, [first, last]) =>
      left.flatMap(([from, to]): SeqRanges => {
        const parts: SeqRanges = [
          [from, Math.min(to, first - 1)],
          [Math.max(from, last + 1), to]
        ]
        return parts.filter((part) => part[0] <= part[1])
      }),
    ranges
  )
}

/** The message that follows `seq`: one in force, else the first; null without one. */
export function nextMessage(store: Store, session: string, seq: number, inForce: SeqRanges): MessageRow | null {
  const sql = `SELECT seq FROM message WHERE session = ${SESSION_N} AND seq > ? AND parent = ? ORDER BY seq`
  const next = column<number>(store, sql, session, seq, seq)
  const found = next.find((at) => isInForce(inForce, at)) ?? next[0]
  return found === undefined ? null : findMessage(store, session, found)
}
