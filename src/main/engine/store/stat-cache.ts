/**
 * Reads the stat columns of table `path` in bulk, so that a scan compares thousands of paths with the disk without
 * building an object for each. The same idea as git's index: equal stat, unchanged content (DR-2 says when a stat is
 * trusted).
 */
import type { PathId } from './paths.ts'
import { type Readable, scalar, tuples } from './sql.ts'

/**
 * `kind`: number of the kind (store-schema.ts), null while the initial snapshot is pending. `ino` null = no stat
 * recorded. Times are ms. `statAt`: when the stat was taken. `covered`: 1 if all names in the folder are recorded.
 */
export type StatRow = readonly [
  id: PathId,
  path: string,
  kind: number | null,
  ino: number | null,
  size: number,
  mtime: number,
  ctime: number,
  mode: number,
  statAt: number,
  covered: number,
  parent: PathId
]

/** Column indexes of a StatRow: destructuring is too slow for these loops. */
export const [ID, PATH, KIND, INO, SIZE, MTIME, CTIME, MODE, STAT_AT, COVERED, PARENT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
] as const

/** Rows per page: bounds memory and the time the thread is blocked, however many files a folder holds. */
const PAGE = 1000

const ROWS = `SELECT p.id, p.name, v.kind, p.ino, p.size, p.mtime, p.ctime, p.mode, p.seen, p.covered, p.parent
  FROM path p LEFT JOIN version v ON v.id = p.version`

// Both orders are those of index `path_parent` (parent, rowid), so SQLite sorts nothing.
const IN_FOLDERS = `${ROWS} WHERE p.parent IN (SELECT value FROM json_each(?)) ORDER BY p.parent, p.id LIMIT ${PAGE}`
const REST_OF_FOLDER = `${ROWS} WHERE p.parent = ? AND p.id > ? ORDER BY p.id LIMIT ${PAGE}`

/** One statement reads all folders: one per folder would cost as much as reading its rows. */
export function statReads(store: Readable) {
  return {
    /** How many paths were ever recorded. */
    pathCount: (): number => scalar<number>(store, 'SELECT max(id) FROM path') ?? 0,
    /** Rows of the direct children of `folders`, in pages. The store may be written between two pages. */
    *statRows(folders: readonly PathId[]): Generator<readonly StatRow[]> {
      let remaining = folders
      while (remaining.length > 0) {
        let page = tuples<StatRow>(store, IN_FOLDERS, JSON.stringify(remaining))
        yield page
        const last = page.at(-1)
        if (!last || page.length < PAGE) return
        const parent = last[PARENT]
        // The page ended within this folder: read its other rows, then the folders after it.
        for (let after = last[ID]; page.length === PAGE; after = (page.at(-1) ?? last)[ID]) {
          page = tuples<StatRow>(store, REST_OF_FOLDER, parent, after)
          yield page
        }
        remaining = remaining.filter((id) => id > parent)
      }
    }
  }
}
