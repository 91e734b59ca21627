/**
 * The handles of watched folders, as a tree.
 *
 * Invariant: every folder in the tree is open and was a directory, not a link, when its watch was opened (CP-4).
 */
import { type Stats, watch } from 'node:fs'
import type { WatchHandles } from '../../../contract/workspace.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { lstatOrNull } from './folder-events.ts'

/** Listens to one folder, without those below it. */
export interface FolderHandle {
  readonly by: WatchHandles
  /** Whether it listens; false also if it was closed before. */
  readonly opened: Promise<boolean>
  close(): void
}

export interface WatchedFolder {
  /** Root-relative, '/'-separated; '' for the root. */
  readonly rel: string
  /** The handle whose events count. */
  handle: FolderHandle
  /** The handle that replaces it once it is open (handover.ts). */
  next: FolderHandle | null
  children: Map<string, WatchedFolder> | null
  /** Names of folders in it that the rules ignored when they were found. */
  ignored: Set<string> | null
  /** At least as many as there are, exact when the folder was listed. */
  files: number
  /** False once its watch is to be closed: late events are dropped. */
  open: boolean
}

interface AddedFolder {
  readonly folder: WatchedFolder
  /** Taken once it was watched. */
  readonly stats: Stats
}

interface HandleListener {
  /** As `fs.watch` reports it: 'rename' or 'change', and the name of a child or of the folder itself. */
  onEvent(folder: WatchedFolder, event: string, name: string | null): void
  /** A limit was reached, or a handle broke. */
  onFailure(error: NodeJS.ErrnoException): void
}

const OPENED = Promise.resolve(true)

export type FolderHandles = ReturnType<typeof createFolderHandles>

export function createFolderHandles(root: string, { onEvent, onFailure }: HandleListener) {
  /** Folders without read permission. */
  const refused = new Set<string>()
  const closing: FolderHandle[] = []
  let open = 0
  let files = 0

  const pathOf = (rel: string) => absoluteOf(root, rel)
  const closeNow = () => {
    for (const handle of closing.splice(0)) handle.close()
  }
  /**
   * Closes the watches of the folder and of all below it, after the events of this turn: until then they count towards
   * an overflow, and a moved folder keeps its events.
   */
  const remove = (folder: WatchedFolder) => {
    folder.open = false
    folder.next?.close()
    open--
    files -= folder.files
    if (closing.push(folder.handle) === 1) setImmediate(closeNow)
    if (folder.children) for (const child of folder.children.values()) remove(child)
  }
  const countFiles = (folder: WatchedFolder, count: number) => {
    files += count - folder.files
    folder.files = count
  }
  /** Throws what `fs.watch` throws. `folder`: asked for with each event. */
  const openHandle = (path: string, folder: () => WatchedFolder): FolderHandle => {
    const watcher = watch(path, { persistent: false }, (event, name) => {
      if (folder().handle === handle) onEvent(folder(), event, name)
    })
    watcher.on('error', onFailure)
    const handle: FolderHandle = { by: 'fs.watch', opened: OPENED, close: () => watcher.close() }
    return handle
  }
  /** Null if it is gone, is no folder, or may not be read; what else fails goes to `onFailure`. */
  const add = (rel: string): AddedFolder | null => {
    const path = pathOf(rel)
    let handle: FolderHandle
    try {
      handle = openHandle(path, () => folder)
    } catch (thrown) {
      const error = thrown as NodeJS.ErrnoException
      if (rel !== '' && (error.code === 'EACCES' || error.code === 'EPERM')) refused.add(rel)
      else if (rel === '' || (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')) onFailure(error)
      return null
    }
    open++
    const folder: WatchedFolder = { rel, handle, next: null, children: null, ignored: null, files: 0, open: true }
    refused.delete(rel)
    // `watch` follows links: a folder that was replaced by a link in between is not kept.
    const stats = lstatOrNull(path)
    if (stats?.isDirectory()) return { folder, stats }
    remove(folder)
    return null
  }

  return {
    add,
    remove,
    pathOf,
    countFiles,
    /** Another `fs.watch` of the folder; null if it cannot be opened. */
    reopen(folder: WatchedFolder): FolderHandle | null {
      try {
        return openHandle(pathOf(folder.rel), () => folder)
      } catch {
        // Gone: its parent has an event. Limits do not matter, the folder has a handle already.
        return null
      }
    },
    /** The last `add` of the folder was refused: it has no read permission. */
    isRefused: (rel: string): boolean => refused.has(rel),
    /** Number of folders watched now. */
    count: (): number => open,
    /** Number of files in them, at least. */
    files: (): number => files,
    /** Closes `top` with all below it, at once. */
    close(top: WatchedFolder | null) {
      if (top) remove(top)
      closeNow()
    }
  }
}
