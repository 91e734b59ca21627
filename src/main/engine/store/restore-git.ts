/** Owns table `restore_git`: what a restore writes of git's own state. At most one row per restore. */
import type { GitItemKind } from '../../../contract/git.ts'
import type { Store } from './open-store.ts'
import { get, run, type Writable } from './sql.ts'

/** One item, with all that writing it, finishing it and undoing it need. */
export interface GitWork {
  readonly kind: GitItemKind
  /** What a person names it by. */
  readonly item: string
  /** The subfolder whose repository it is in; absent for that of the recorded folder itself. */
  readonly folder?: string
  /** The full name of the ref; of HEAD and the index the path of the file in the repository; of a file its path; or `.git`. */
  readonly name: string
  /**
   * What it is before and after; '' = absent. An object id; the text of HEAD; of the index or a file the hash of its content;
   * the kind of an operation.
   */
  readonly from: string
  readonly to: string
  /** Of an operation: its files and refs, each a work of its own. */
  readonly parts?: readonly GitWork[]
  /** Items without which it is not written, because it means nothing without them. */
  readonly needs?: readonly string[]
  /** Of a file: its permissions before and after. */
  readonly modes?: { readonly from: number; readonly to: number }
  /** Of a stash: the reflog of stashes before and after, in base64; null = absent. */
  readonly log?: { readonly from: string | null; readonly to: string | null }
  readonly repository?: {
    /** The kept state that is written; null: the folder `back` is moved there, '' leaves no repository. */
    readonly state: number | null
    readonly back: string
    /** The git folder that is written, where `.git` is a file that leads to it; else it is `.git`. Absolute. */
    readonly at?: string
    /** The file `.git` that comes and goes with `at`, in base64. */
    readonly link?: string
    /** Whether something is in its place, and where that is moved. */
    readonly replaces: boolean
    readonly aside: string
    /** What is put at `.git` is marked beside `aside`. Journals of earlier versions have no marks. */
    readonly marked?: true
    /** Of an undo: the mark of what it undoes. */
    readonly undoes?: string
  }
}

/**
 * `written`: it is as the work leaves it, or was never changed by the restore that is undone. `changed`: it is neither that
 * nor what the work begins with. `evicted`: what would be written is no longer kept.
 */
export type WorkState = 'ready' | 'written' | 'changed' | 'evicted'

interface RestoreGitRow {
  readonly work: readonly GitWork[]
  readonly state: 'planned' | 'done'
}

export function insertRestoreGit(tx: Writable<Store>, restore: string, work: readonly GitWork[]): void {
  run(tx, "INSERT INTO restore_git VALUES (?, ?, 'planned')", restore, JSON.stringify(work))
}

export function findRestoreGit(store: Store, restore: string): RestoreGitRow | null {
  const sql = 'SELECT items, state FROM restore_git WHERE restore = ?'
  const row = get<{ items: string; state: RestoreGitRow['state'] }>(store, sql, restore)
  return row && { work: JSON.parse(row.items) as GitWork[], state: row.state }
}

/** `work`: what was written by `restore`, and so by the interrupted restore it finishes. */
export function markGitWritten(
  tx: Writable<Store>,
  restore: string,
  finishes: string | null,
  work: readonly GitWork[]
): void {
  const sql = "UPDATE restore_git SET state = 'done', items = ? WHERE restore IN (?, ?)"
  run(tx, sql, JSON.stringify(work), restore, finishes ?? restore)
}
