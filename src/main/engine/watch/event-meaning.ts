/**
 * What one event of a folder's `fs.watch` means. For a watched folder that is itself changed, moved or deleted, libuv
 * reports the folder's own name like that of a child: only the disk tells the two apart.
 */
import { childOf, nameOf } from '../files/paths.ts'
import { isNeverWatched } from './folder-events.ts'

/** As `fs.watch` reports it. */
interface FolderEvent {
  /** The watched folder, root-relative; '' is the root. */
  readonly folder: string
  /** 'rename' or 'change' */
  readonly event: string
  /** Of a child, or of the folder itself. */
  readonly name: string | null
}

interface EventFacts {
  /** Name of the root of the watch. */
  readonly rootName: string
  /** What is at a root-relative path now; null if nothing is. */
  statOf(rel: string): unknown
  /** A folder with this name in the watched folder is watched, too. */
  isWatchedChild(name: string): boolean
}

/**
 * - `entry`: the entry with that name was created, changed, deleted or replaced
 * - `unknown-entry`: some entry was; only a listing of the folder finds it
 * - `root-uncertain`: the root may have been moved, deleted or replaced, or an entry in it with its name is gone
 * - `repository`: the `.git` of a subfolder came or went; what is in it is never watched
 * - `nothing`: it is never watched, or it is about a folder whose parent has an event, too
 */
type EventMeaning = 'entry' | 'unknown-entry' | 'root-uncertain' | 'repository' | 'nothing'

export function meaningOf(
  { folder, event, name }: FolderEvent,
  { rootName, statOf, isWatchedChild }: EventFacts
): EventMeaning {
  // A name that is not UTF-8 arrives damaged (U+FFFD).
  if (name === null || name.includes('\uFFFD')) return 'unknown-entry'
  const isRoot = folder === ''
  if (name === '.git' && event === 'rename' && !isRoot) return 'repository'
  if (isNeverWatched(name)) return 'nothing'
  if (name !== (isRoot ? rootName : nameOf(folder))) return 'entry'
  if (isRoot && !statOf('')) return 'root-uncertain'
  if (statOf(childOf(folder, name)) || isWatchedChild(name)) return 'entry'
  if (event === 'change') return 'nothing'
  // Deleted and created again, perhaps with the same inode number. Below the root, the parent has an event too.
  if (isRoot) return 'root-uncertain'
  return statOf(folder) ? 'entry' : 'nothing'
}
