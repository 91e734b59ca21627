/**
 * Compares the rows of folders whose listing is unchanged by bare stats, without building an object per row. A row that is not
 * surely the same goes to the full comparison.
 */
import { type BareStat, lstatSignature, signatureOf } from '../files/signature.ts'
import type { PathId } from '../store/paths.ts'
import { COVERED, ID, KIND, PATH, type StatRow } from '../store/stat-cache.ts'
import type { VersionId } from '../store/versions.ts'
import { type FindingSteps, type Scan, statOrNote } from './findings.ts'
import { compareRow, type PendingFolder } from './row-compare.ts'
import { ABSENT_KIND, areTimesTrusted, DIR_KIND, sameStat, statCheck } from './stat-compare.ts'

/** Folders whose rows are read from the stat cache in one query. */
const FOLDERS_PER_QUERY = 64
/** Paths compared between two pauses of the driver. */
export const PATHS_PER_STEP = 64

/** Files of some folders, whose stats are being taken. */
interface Files {
  readonly rows: readonly StatRow[]
  readonly stats: () => (n: number) => BareStat | null
}

/** Folders that are still to be entered are added to `pending`. */
export function createCachedRows(scan: Scan, pending: PendingFolder[]) {
  const { root, records, boundaries, deep, notes, timesReliable, observer } = scan
  const rootPrefix = root === '/' ? '/' : `${root}/`
  const folders: PathId[] = []
  /** Oldest first. Compared after the folders that follow them were entered and read: until then a second thread takes their stats. */
  const waiting: Files[] = []

  /** Enters the folders among the rows, and begins to take the stats of the files. */
  function* readPage(page: readonly StatRow[]): FindingSteps {
    const rows: StatRow[] = []
    const different = new Map<PathId, BareStat | null>()
    let entering = 0
    for (const row of page) {
      if (row[KIND] === ABSENT_KIND) continue
      if (row[KIND] !== DIR_KIND) {
        rows.push(row)
        continue
      }
      if (++entering % PATHS_PER_STEP === 0) yield null
      const isBoundary = boundaries.has(row[PATH])
      const entered = row[COVERED] === 1 && !isBoundary ? observer?.enter(row[PATH]) : null
      const stats = deep ? null : (entered ?? statCheck(rootPrefix + row[PATH]))
      if (!stats || isBoundary || !sameStat(row, stats)) {
        different.set(row[ID], stats)
        continue
      }
      notes.compared++
      if (areTimesTrusted(row, stats) && timesReliable(row[PATH])) folders.push(row[ID])
      else pending.push({ path: row[PATH], stat: signatureOf(stats), head: null })
    }
    // [CK-2] The folders of all rows were entered before these were read: from here on a change of them has an event.
    const stats = deep ? () => () => null : scan.stats.take(rows.map((row) => rootPrefix + row[PATH]))
    yield* compareDifferent(different)
    waiting.push({ rows, stats })
    if (waiting.length > scan.stats.ahead) yield* compareOldest()
  }

  function* compareOldest(): FindingSteps {
    const oldest = waiting.shift()
    if (!oldest) return
    const { rows, stats } = oldest
    const statOf = stats()
    const different = new Map<PathId, BareStat | null>()
    // An iterator, or an object for each stat, would have the memory collected once more in a start over 10,000 files.
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n] as StatRow
      const stat = statOf(n)
      if (stat && sameStat(row, stat)) notes.compared++
      else different.set(row[ID], stat && { ...stat })
      if ((n + 1) % PATHS_PER_STEP !== 0) continue
      yield* compareDifferent(different)
      different.clear()
      yield null
    }
    yield* compareDifferent(different)
  }

  /** Compares rows that are not surely the same, with their bare stats. They and their versions are read at once. */
  function* compareDifferent(rows: ReadonlyMap<PathId, BareStat | null>): FindingSteps {
    if (rows.size === 0) return
    const heads = records.headsById([...rows.keys()])
    const ids = new Set(heads.map(({ version }) => version ?? records.absent))
    const versionOf = records.versionsById([...ids])
    const version = (id: VersionId) => (ids.has(id) ? versionOf(id) : records.version(id))
    const known = { ...scan, records: { ...records, version } }
    for (const head of heads) {
      const stats = rows.get(head.id)
      const stat = stats
        ? signatureOf(stats)
        : statOrNote(scan, head.path, () => lstatSignature(rootPrefix + head.path))
      yield* compareRow(known, head, stat, pending)
    }
  }

  return {
    /** Adds a folder whose stat says that it has the names that are recorded. */
    add: (folder: PathId): void => void folders.push(folder),
    isEmpty: (): boolean => folders.length === 0 && waiting.length === 0,
    /** Compares some of them, or files whose stats are still taken. */
    *compareNext(): FindingSteps {
      const next = folders.splice(-FOLDERS_PER_QUERY)
      for (const page of records.statRows(next)) yield* readPage(page)
      // It may add folders.
      if (next.length === 0) yield* compareOldest()
      yield null
    }
  }
}
