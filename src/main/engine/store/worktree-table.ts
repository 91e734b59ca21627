/** Owns table `worktree` of app.db: recorded worktrees of recorded repositories. */
import { all, get, type Readable, run, type Writable } from './sql.ts'

export const WORKTREE_TABLE = `
-- id, main    workspaces: the worktree, and the folder whose repository it belongs to.
-- name        of its folder in .git/worktrees.
-- removed_at  ms UTC; NULL while its folder is there. \`head\` is then its last position with files, and \`lost\` the number of files
--             that were nowhere else; NULL until they are counted.
CREATE TABLE worktree(
  id TEXT PRIMARY KEY,
  main TEXT NOT NULL,
  name TEXT NOT NULL,
  branch TEXT NOT NULL,
  removed_at INTEGER,
  head INTEGER,
  lost INTEGER
) STRICT, WITHOUT ROWID;
`

export interface WorktreeRow {
  readonly id: string
  readonly main: string
  readonly name: string
  /** '' if HEAD was detached. */
  readonly branch: string
  readonly removedAt: number | null
  readonly head: number | null
  readonly lost: number | null
}

const ROWS = 'SELECT id, main, name, branch, removed_at AS removedAt, head, lost FROM worktree'

/** All, in the order of their names. */
export function worktreeRows(store: Readable): WorktreeRow[] {
  return all(store, `${ROWS} ORDER BY name, id`)
}

export function findWorktree(store: Readable, id: string): WorktreeRow | null {
  return get(store, `${ROWS} WHERE id = ?`, id)
}

/** Replaces what is known of it: it is there. */
export function putWorktree(
  tx: Writable<Readable>,
  { id, main, name, branch }: Pick<WorktreeRow, 'id' | 'main' | 'name' | 'branch'>
): void {
  run(tx, 'INSERT OR REPLACE INTO worktree VALUES (?, ?, ?, ?, NULL, NULL, NULL)', id, main, name, branch)
}

export function markWorktreeRemoved(tx: Writable<Readable>, id: string, at: number, head: number): void {
  run(tx, 'UPDATE worktree SET removed_at = ?, head = ? WHERE id = ?', at, head, id)
}

export function setWorktreeLoss(tx: Writable<Readable>, id: string, lost: number): void {
  run(tx, 'UPDATE worktree SET lost = ? WHERE id = ?', lost, id)
}

export function deleteWorktree(tx: Writable<Readable>, id: string): void {
  run(tx, 'DELETE FROM worktree WHERE id = ?', id)
}
