/**
 * A store for one task that reads the whole history of many paths, such as an undo: the edits, versions and small contents of
 * a path are read with four statements when they are needed, instead of several for each edit. What it returns is as old as
 * the first read of the path, so it must not outlive the task, nor be used across a pause.
 */
import { createRowsAhead } from './content-rows-ahead.ts'
import type { EditRow } from './edits.ts'
import type { Store } from './open-store.ts'
import type { PathId } from './paths.ts'
import type { StoredVersion, VersionId } from './versions.ts'

/** Edits held; a task works on one path after the other. */
const MOST_EDITS = 20_000

export function createHistoryReader(store: Store): Store {
  const { content, records } = store
  /** Oldest first. */
  const histories = new Map<PathId, readonly EditRow[]>()
  const edits = new Map<number, EditRow>()
  const departures = new Map<PathId, EditRow[]>()
  /** By the seq of their departures. */
  const arrivals = new Map<number, EditRow>()
  const versions = new Map<VersionId, StoredVersion>()
  const rows = createRowsAhead(store)

  const historyOf = (path: PathId): readonly EditRow[] => {
    const known = histories.get(path)
    if (known) return known
    if (edits.size > MOST_EDITS)
      for (const held of [histories, edits, departures, arrivals, versions, rows]) held.clear()
    const history = records
      .editsOf(path)
      .reverse()
      .map((edit) => (edit.merge ? records.edit(edit.seq) : edit))
    histories.set(path, history)
    for (const edit of history) edits.set(edit.seq, edit)
    const named = records.readVersions(history.flatMap(({ before, after }) => [before, after]))
    for (const version of named) versions.set(version.id, version)
    rows.readTogether(named.flatMap(({ content }) => content ?? []))
    const left = records.departuresFrom(path)
    departures.set(path, left)
    for (const { seq } of left) {
      const arrival = records.arrivalOf(seq)
      if (arrival) arrivals.set(seq, arrival)
    }
    return history
  }
  const edit = (seq: number): EditRow => edits.get(seq) ?? records.edit(seq)

  return {
    ...store,
    content: { ...content, get: (id, size, like) => content.get(id, size, like, rows.rowOf(id)) },
    records: {
      ...records,
      edit,
      editBefore: (path, seq) => {
        const history = historyOf(path)
        return history[firstFrom(history, seq) - 1] ?? null
      },
      arrivalOf: (seq) => {
        historyOf(edit(seq).path)
        return arrivals.get(seq) ?? null
      },
      // Without its history: they are asked for of many paths before the first of these is read.
      departuresFrom: (path) => departures.get(path) ?? records.departuresFrom(path),
      version: (id) => {
        const known = versions.get(id) ?? records.version(id)
        versions.set(id, known)
        return known
      }
    }
  }
}

/** Index of the first edit that is not before `seq`. */
function firstFrom(edits: readonly EditRow[], seq: number): number {
  let [low, high] = [0, edits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edits[middle] as EditRow).seq < seq) low = middle + 1
    else high = middle
  }
  return low
}
