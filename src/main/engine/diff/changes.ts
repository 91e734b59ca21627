/** Reads windows of the log as one change per path: a run, a turn, or everything between two positions. */
import type { Seq } from '../../../contract/log.ts'
import { prepared } from '../db/transaction.ts'
import { type EditRow, toEdit } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { composeRun, type WindowEdit } from './aggregate.ts'
import type { PathChange } from './types.ts'

/** Changes a run (or one of its turns) made: only its own Edits (LG-4). */
export function changesOfRun(store: Store, run: string, turn: string | null): PathChange[] {
  const own = new Set(
    (
      store.db
        .prepare(
          turn ? 'SELECT edit FROM edit_call WHERE run = ? AND turn = ?' : 'SELECT edit FROM edit_call WHERE run = ?'
        )
        .all(...(turn ? [run, turn] : [run])) as { edit: number }[]
    ).map((row) => row.edit)
  )
  if (own.size === 0) return []
  // A loop: a run may have more Edits than a call takes arguments.
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const seq of own) {
    first = Math.min(first, seq)
    last = Math.max(last, seq)
  }
  const rows = window(store, first - 1, last).filter((edit) => own.has(edit.seq) || edit.origin !== 'restore')
  const mineOnPath = new Set(rows.filter((edit) => own.has(edit.seq)).map((edit) => edit.path))
  return composeRun(
    rows.filter((edit) => mineOnPath.has(edit.path)).map((edit) => toWindow(store, edit, own.has(edit.seq)))
  )
}

/**
 * What one tool call made of each path: its Edits that follow each other are one change, and one of somebody else in
 * between ends it. Equal ends vanish.
 */
export function changesOfCall(
  store: Store,
  call: { readonly id: string; readonly run: string; readonly start_seq: Seq; readonly end_seq: Seq | null }
): PathChange[] {
  const edits = prepared(
    store.db,
    `SELECT e.* FROM edit_call c JOIN edit e ON e.seq = c.edit
     WHERE c.run = ? AND c.edit > ? AND c.edit <= ? AND c.call = ? ORDER BY e.seq`
  ).all(call.run, call.start_seq, call.end_seq ?? store.records.lastSeq(), call.id) as Parameters<typeof toEdit>[0][]
  const last = new Map<number, { first: EditRow; last: EditRow }>()
  const all: { first: EditRow; last: EditRow }[] = []
  for (const edit of edits.map(toEdit)) {
    const open = last.get(edit.path)
    if (open?.last.after === edit.before) open.last = edit
    else {
      const change = { first: edit, last: edit }
      last.set(edit.path, change)
      all.push(change)
    }
  }
  return all.flatMap(({ first, last }) =>
    composeRun([{ ...toWindow(store, first, true), after: store.records.version(last.after) }])
  )
}

/** What a run or turn made of one path; null when its Edits (`own`) cancel out there, or there are none. */
export function changesOfPath(store: Store, own: ReadonlySet<number>, path: string): PathChange | null {
  const head = store.records.head(path)
  if (!head) return null
  const edits = store.records.editsOf(head.id).reverse()
  const mine = edits.filter((edit) => own.has(edit.seq) || edit.origin !== 'restore')
  return composeRun(mine.map((edit) => toWindow(store, edit, own.has(edit.seq))))[0] ?? null
}

/** Everything that differs between two positions; `from` later than `to` gives the way back. */
export function changesBetween(store: Store, from: Seq, to: Seq): PathChange[] {
  const changes = composeRun(
    window(store, Math.min(from, to), Math.max(from, to)).map((edit) => toWindow(store, edit, true))
  )
  return from <= to ? changes : changes.map((change) => ({ ...change, before: change.after, after: change.before }))
}

function window(store: Store, after: Seq, to: Seq): EditRow[] {
  return (
    store.db.prepare('SELECT * FROM edit WHERE seq > ? AND seq <= ? ORDER BY seq').all(after, to) as Parameters<
      typeof toEdit
    >[0][]
  ).map(toEdit)
}

function toWindow(store: Store, edit: EditRow, mine: boolean): WindowEdit {
  return {
    path: store.records.headById(edit.path).path,
    before: store.records.version(edit.before),
    after: store.records.version(edit.after),
    mine,
    attribution: edit.attribution
  }
}
