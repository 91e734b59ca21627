/**
 * A store for one task that reads the history of many paths, such as an undo: the heads, edits, versions and small
 * contents of a path are read with a few statements when they are needed, instead of several for each edit; all but the
 * contents of many paths together, because a statement costs more than its rows. What it returns is as old as the first
 * read of the path, so it must not outlive the task, nor be used across a pause.
 */
import { contentWith, createRowsAhead } from './content-rows-ahead.ts'
import type { EditRow } from './edits.ts'
import type { Store } from './open-store.ts'
import type { Head, PathId } from './paths.ts'
import type { StoredVersion, VersionId } from './versions.ts'

/** Edits held; a task works on one path after the other. */
const MOST_EDITS = 20_000
/** Read together: paths, and edits of them. */
const GROUP = { paths: 256, edits: 10_000 } as const

/** Each once, in the order in which a task has to read them. */
export function inReadingOrder(paths: Iterable<PathId>): PathId[] {
  return [...new Set(paths)].sort((a, b) => a - b)
}

/**
 * `paths`: those that the task reads, in reading order. Any other path is read by itself. `since`: the first edit that the
 * task needs of most paths; of a path of which it asks for earlier ones, the whole history is read.
 */
export function createHistoryReader(store: Store, paths: readonly PathId[] = [], since = 0): Store {
  const { records } = store
  const order = new Map(paths.map((path, at) => [path, at]))
  /** The path and those that are read after it. */
  const groupOf = (path: PathId): readonly PathId[] => {
    const at = order.get(path)
    return at === undefined ? [path] : paths.slice(at, at + GROUP.paths)
  }
  const heads = new Map<PathId, Head>()
  const histories = new Map<PathId, History>()
  const edits = new Map<number, EditRow>()
  const moves = createMoveReader(records, groupOf)
  const rows = createRowsAhead(store)
  const versions = createVersionReader(records, rows)

  /** `from`: the first edit that is needed. */
  const historyOf = (path: PathId, from = 0): readonly EditRow[] => {
    const known = histories.get(path)
    if (known && known.since <= from) return known.edits
    if (edits.size > MOST_EDITS) for (const held of [heads, histories, edits, moves, versions, rows]) held.clear()
    const first = from < since ? 0 : since
    const read = records.editsOfPaths(groupOf(path), { limit: GROUP.edits, since: first })
    if (!read.has(path))
      for (const [id, history] of records.editsOfPaths([path], { since: first })) read.set(id, history)
    for (const [id, history] of read) {
      histories.set(id, { since: first, edits: history })
      for (const edit of history) edits.set(edit.seq, edit)
      versions.expect(versionIds(history))
    }
    return histories.get(path)?.edits ?? []
  }
  const edit = (seq: number): EditRow => {
    const known = edits.get(seq)
    if (known) return known
    const found = records.edit(seq)
    // A walk to an edit this old mostly needs those before it, too. But their reading must not evict other histories: two long
    // ones would be read again and again, in turn.
    if (seq < since && edits.size <= MOST_EDITS && order.has(found.path)) historyOf(found.path)
    return found
  }
  const headById = (path: PathId): Head => {
    const known = heads.get(path)
    if (known || !order.has(path)) return known ?? records.headById(path)
    historyOf(path, since)
    // Only with their histories: a walk from a head needs its edits.
    for (const head of records.headsById(groupOf(path).filter((id) => histories.has(id)))) heads.set(head.id, head)
    return heads.get(path) ?? records.headById(path)
  }

  return {
    ...store,
    content: contentWith(rows, store),
    records: {
      ...records,
      headById,
      headOf: (path) => (order.has(path) ? headById(path).edit : records.headOf(path)),
      edit,
      editsOf: (path) => historyOf(path).toReversed(),
      editBefore: (path, seq) => {
        const recent = historyOf(path, since)
        const at = firstFrom(recent, seq)
        if (at > 0) return recent[at - 1] ?? null
        const history = historyOf(path)
        return history[firstFrom(history, seq) - 1] ?? null
      },
      editAfter: (path, seq) => {
        const history = historyOf(path, seq + 1)
        return history[firstFrom(history, seq + 1)] ?? null
      },
      arrivalOf: (seq) => moves.arrivalOf(edit(seq)),
      departuresFrom: moves.departuresFrom,
      version: versions.get
    }
  }
}

/** Of a path. */
interface History {
  /** Without the edits before this one. */
  readonly since: number
  /** Oldest first. */
  readonly edits: readonly EditRow[]
}

type Records = Store['records']

/** The moves from many paths, with the edits by which their contents arrived. */
function createMoveReader(records: Records, groupOf: (path: PathId) => readonly PathId[]) {
  const departures = new Map<PathId, EditRow[]>()
  /** By the seq of their departures. */
  const arrivals = new Map<number, EditRow>()
  const departuresFrom = (path: PathId): EditRow[] => {
    const known = departures.get(path)
    if (known) return known
    const group = groupOf(path)
    for (const id of group) departures.set(id, [])
    const found = records.departuresFromPaths(group)
    for (const departure of found) departures.get(departure.path)?.push(departure)
    for (const arrival of records.arrivalsOf(found)) arrivals.set(arrival.movedFrom as number, arrival)
    return departures.get(path) ?? []
  }
  return {
    departuresFrom,
    arrivalOf: ({ path, seq }: EditRow): EditRow | null => {
      departuresFrom(path)
      return arrivals.get(seq) ?? null
    },
    clear: (): void => {
      departures.clear()
      arrivals.clear()
    }
  }
}

/** The versions of many histories, read together once one is needed: not every task needs them. */
function createVersionReader(records: Records, rows: ReturnType<typeof createRowsAhead>) {
  const versions = new Map<VersionId, StoredVersion>()
  /** Of each history whose versions are not read. */
  let unread: (readonly VersionId[])[] = []
  const readAll = (): void => {
    for (const version of records.readVersions(unread.flat())) versions.set(version.id, version)
    for (const ids of unread) rows.readTogether(ids.flatMap((id) => versions.get(id)?.content ?? []))
    unread = []
  }
  return {
    /** Those of a history are read with the next one. */
    expect: (ids: readonly VersionId[]): void => void unread.push(ids),
    get: (id: VersionId): StoredVersion => {
      if (!versions.has(id) && unread.length > 0) readAll()
      const known = versions.get(id) ?? records.version(id)
      versions.set(id, known)
      return known
    },
    clear: (): void => {
      versions.clear()
      unread = []
    }
  }
}

function versionIds(edits: readonly EditRow[]): VersionId[] {
  return edits.flatMap(({ before, after }) => [before, after])
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
