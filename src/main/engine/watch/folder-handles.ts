/**
 * The `fs.watch` handles of watched folders, as a tree.
 *
 * Invariant: every folder in the tree is open and was a directory, not a link, when its watch was opened (CP-4).
 */
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { lstatOrNull } from './folder-events.ts'

export interface WatchedFolder {
  /** Root-relative, '/'-separated; '' for the root. */
  readonly rel: string
  readonly watcher: FSWatcher
  children: Map<string, WatchedFolder> | null
  /** False once its watch is to be closed: late events are dropped. */
  open: boolean
}

interface HandleListener {
  /** As `fs.watch` reports it: 'rename' or 'change', and the name of a child or of the folder itself. */
  onEvent(folder: WatchedFolder, event: string, name: string | null): void
  /** A limit was reached, or a handle broke. */
  onFailure(error: NodeJS.ErrnoException): void
}

export type FolderHandles = ReturnType<typeof createFolderHandles>

export function createFolderHandles(root: string, { onEvent, onFailure }: HandleListener) {
  /** Folders without read permission. */
  const refused = new Set<string>()
  const closing: FSWatcher[] = []
  let open = 0

  const pathOf = (rel: string) => (rel === '' ? root : join(root, rel))
  const closeNow = () => {
    for (const watcher of closing.splice(0)) watcher.close()
  }
  /**
   * Closes the watches of the folder and of all below it, after the events of this turn: until then they count towards
   * an overflow, and a moved folder keeps its events.
   */
  const remove = (folder: WatchedFolder) => {
    folder.open = false
    open--
    if (closing.push(folder.watcher) === 1) setImmediate(closeNow)
    if (folder.children) for (const child of folder.children.values()) remove(child)
  }
  /** Null if it is gone, is no folder, or may not be read; what else fails goes to `onFailure`. */
  const add = (rel: string): WatchedFolder | null => {
    let watcher: FSWatcher
    try {
      watcher = watch(pathOf(rel), { persistent: false }, (event, name) => onEvent(folder, event, name))
    } catch (thrown) {
      const error = thrown as NodeJS.ErrnoException
      if (rel !== '' && (error.code === 'EACCES' || error.code === 'EPERM')) refused.add(rel)
      else if (rel === '' || (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')) onFailure(error)
      return null
    }
    watcher.on('error', onFailure)
    open++
    const folder: WatchedFolder = { rel, watcher, children: null, open: true }
    refused.delete(rel)
    // `watch` follows links: a folder that was replaced by a link in between is not kept.
    if (lstatOrNull(pathOf(rel))?.isDirectory()) return folder
    remove(folder)
    return null
  }

  return {
    add,
    remove,
    pathOf,
    /** The last `add` of the folder was refused: it has no read permission. */
    isRefused: (rel: string): boolean => refused.has(rel),
    /** Number of folders watched now. */
    count: (): number => open,
    /** Closes `top` with all below it, at once. */
    close(top: WatchedFolder | null) {
      if (top) remove(top)
      closeNow()
    }
  }
}
