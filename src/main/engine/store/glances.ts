/** Rows of paths as plain values, for comparing thousands of them with the disk: no object is built for what has not moved. */
import type { Db } from '../db/open.ts'
import type { PathId } from './heads.ts'

/** `kind` is null while the first copy is to come, else a number of the schema; `ino` null = no stat. */
export type Glance = readonly [
  id: PathId,
  path: string,
  kind: number | null,
  ino: number | null,
  size: number,
  mtime: number,
  ctime: number,
  mode: number,
  seen: number,
  covered: number,
  parent: PathId
]

/** Places in a Glance, for loops too long to take rows apart by a pattern. */
export const [ID, PATH, KIND, INO, SIZE, MTIME, CTIME, MODE, SEEN, COVERED, PARENT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
] as const

export interface Glances {
  /** The rows directly in many folders, in pages. Between two pages the store may be written. */
  glances(folders: readonly PathId[]): Generator<readonly Glance[]>
}

/** Rows read at once: few enough to keep neither the thread nor memory, however many files a folder holds. */
const PAGE = 1000

const ROWS = `SELECT p.id, p.name, v.kind, p.ino, p.size, p.mtime, p.ctime, p.mode, p.seen, p.covered, p.parent
  FROM path p LEFT JOIN version v ON v.id = p.version`

/** All folders are read together: a statement for each would cost as much as its rows. */
export function createGlances(db: Db): Glances {
  // Both orders are that of the index on `parent`, so nothing is sorted.
  const inFolders = db
    .prepare(`${ROWS} WHERE p.parent IN (SELECT value FROM json_each(?)) ORDER BY p.parent, p.id LIMIT ${PAGE}`)
    .raw()
  const restOfFolder = db.prepare(`${ROWS} WHERE p.parent = ? AND p.id > ? ORDER BY p.id LIMIT ${PAGE}`).raw()

  function* glances(folders: readonly PathId[]): Generator<readonly Glance[]> {
    let left = folders
    while (left.length > 0) {
      let page = inFolders.all(JSON.stringify(left)) as unknown as Glance[]
      yield page
      if (page.length < PAGE) return
      const [last] = page.slice(-1) as [Glance]
      const parent = last[PARENT]
      // The page ended somewhere in that folder.
      for (let after = last[ID]; page.length === PAGE; after = (page.at(-1) ?? last)[ID]) {
        page = restOfFolder.all(parent, after) as unknown as Glance[]
        yield page
      }
      left = left.filter((id) => id > parent)
    }
  }

  return { glances }
}
