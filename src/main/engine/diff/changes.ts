/** Reads changes from the log, one per path: those of a run, a turn or a tool call, or all between two positions. */
import type { Seq } from '../../../contract/log.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { type EditRow, editRowsOfCall, editsBetween } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'
import type { VersionId } from '../store/versions.ts'
import { composeChanges, type PathChange, type WindowEdit } from './aggregate.ts'

/** [LG-4] The changes of a run or of one of its turns. Restores between its edits do not count as foreign. */
export function changesOfRun(store: Store, run: string, turn: string | null): PathChange[] {
  const seqs = editsOfRun(store, run, turn ?? undefined)
  const [first, last] = [seqs[0], seqs.at(-1)]
  if (first === undefined || last === undefined) return []
  const own = new Set(seqs)
  const rows = editsBetween(store, first - 1, last).filter((edit) => own.has(edit.seq) || edit.origin !== 'restore')
  const ownPaths = new Set(rows.filter((edit) => own.has(edit.seq)).map((edit) => edit.path))
  const window = rows.filter((edit) => ownPaths.has(edit.path))
  return compose(
    store,
    windowEdits(store, window, (edit) => own.has(edit.seq))
  )
}

/**
 * The changes of one tool call. Consecutive edits of a path are one change; an edit of another writer in between starts
 * a new one. Changes whose two ends are equal are dropped.
 */
export function changesOfCall(store: Store, call: ToolCallRow): PathChange[] {
  const edits = editRowsOfCall(store, call, call.start_seq, call.end_seq ?? store.records.lastSeq())
  const newest = new Map<number, { first: EditRow; last: EditRow }>()
  const all: { first: EditRow; last: EditRow }[] = []
  for (const edit of edits) {
    const open = newest.get(edit.path)
    if (open?.last.after === edit.before) open.last = edit
    else {
      const change = { first: edit, last: edit }
      newest.set(edit.path, change)
      all.push(change)
    }
  }
  const versionOf = store.records.versionsById(all.flatMap(({ first, last }) => [first.before, last.after]))
  const firsts = windowEdits(
    store,
    all.map(({ first }) => first),
    () => true
  )
  return firsts.flatMap((first, n) => {
    const { after } = (all[n] as (typeof all)[number]).last
    return composeChanges([{ ...first, after }], () => versionOf)
  })
}

/** The change of one path by the edits in `own`; null when they cancel out or there are none. */
export function changesOfPath(store: Store, own: ReadonlySet<number>, path: string): PathChange | null {
  const head = store.records.head(path)
  if (!head) return null
  const edits = store.records.editsOf(head.id).reverse()
  const relevant = edits.filter((edit) => own.has(edit.seq) || edit.origin !== 'restore')
  return (
    compose(
      store,
      windowEdits(store, relevant, (edit) => own.has(edit.seq))
    )[0] ?? null
  )
}

/** Everything that differs between two positions. With `from` later than `to` the changes are reversed. */
export function changesBetween(store: Store, from: Seq, to: Seq): PathChange[] {
  const edits = editsBetween(store, Math.min(from, to), Math.max(from, to))
  const changes = compose(
    store,
    windowEdits(store, edits, () => true)
  )
  if (from <= to) return changes
  return changes.map(({ movedFrom: _, ...change }) => ({ ...change, before: change.after, after: change.before }))
}

/** Reads the versions at the ends of the paths at once: one by one costs three times as much. */
function compose(store: Store, edits: readonly WindowEdit<VersionId>[]): PathChange[] {
  return composeChanges(edits, (ends) => store.records.versionsById(ends))
}

/** Reads the name of each path once. */
function windowEdits(
  store: Store,
  edits: readonly EditRow[],
  isOwn: (edit: EditRow) => boolean
): WindowEdit<VersionId>[] {
  const nameOf = store.records.pathsById(edits.map(({ path }) => path))
  return edits.map((edit) => ({
    path: nameOf(edit.path),
    ...(edit.movedFrom === null ? {} : { movedFrom: store.records.pathOf(store.records.edit(edit.movedFrom).path) }),
    before: edit.before,
    after: edit.after,
    own: isOwn(edit),
    attribution: edit.attribution
  }))
}
