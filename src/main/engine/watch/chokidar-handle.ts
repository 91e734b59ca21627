/**
 * Watches one folder, without those below it, with chokidar. Which folders there are is decided elsewhere (folder-walk.ts):
 * left to itself, chokidar loses folders that are moved and made again (docs/design/0004).
 *
 * Invariant: of one path, chokidar has one handle in this thread. It shares handles by path, so a second one would
 * listen to the folder that was at the path before.
 */
import { basename } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import type { FolderHandle } from './folder-handles.ts'

/** Paths with a handle, also while it is being closed. */
const held = new Set<string>()
/** For paths whose handle is being closed, which takes a moment. */
const closing = new Map<string, Promise<void>>()

/** Number of folders that chokidar watches in this thread, each by a handle of its own. */
export const chokidarHandles = (): number => held.size - closing.size

interface HandleListener {
  /** As `fs.watch` reports it: 'rename' or 'change', and the name of an entry or of the folder itself. */
  onEvent(event: string, name: string | null): void
  /**
   * Events will be missing after this turn, so another handle has to be opened at once. `isLoss`: some may be missing
   * already.
   */
  onUnreliable(isLoss: boolean): void
}

/** `path`: absolute. It does not open if chokidar cannot watch the folder, or watches it for another workspace already. */
export function openWithChokidar(path: string, { onEvent, onUnreliable }: HandleListener): FolderHandle {
  const { promise: opened, resolve } = Promise.withResolvers<boolean>()
  let watcher: FSWatcher | null = null
  let closed = false

  const close = () => {
    if (closed) return
    closed = true
    resolve(false)
    if (!watcher) return
    const released = () => {
      held.delete(path)
      closing.delete(path)
    }
    closing.set(path, watcher.close().then(released, released))
  }
  const open = async () => {
    await closing.get(path)
    // chokidar takes a backslash for a separator, also where it is part of a name.
    if (held.has(path) || path.includes('\\')) close()
    if (closed) return
    held.add(path)
    watcher = watch(path, {
      persistent: false,
      followSymlinks: false,
      atomic: false,
      depth: 0,
      ignored(entry) {
        if (entry === path) return false
        // The folder is gone, and chokidar begins to wait for it in a folder above.
        if (path.startsWith(`${entry}/`)) close()
        return true
      }
    })
    // It subscribes right after it announced the folder.
    watcher.on('addDir', () => queueMicrotask(() => resolve(true)))
    watcher.on('ready', () => resolve(false))
    watcher.on('raw', (event: string, name: string | null) => {
      onEvent(event, name)
      // Of an entry, or of the folder itself: in doubt chokidar opens its handle again and loses what is queued.
      if (event === 'rename' && name === basename(path)) onUnreliable(false)
    })
    watcher.on('error', () => {
      resolve(false)
      onUnreliable(true)
    })
  }

  void open()
  return { by: 'chokidar', opened, close }
}
