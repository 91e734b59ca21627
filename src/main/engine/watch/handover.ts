/**
 * Hands folders over from one kind of handle to the other: to chokidar, or back to `fs.watch`.
 *
 * Invariant: a folder always has a handle that listens. The new one is opened first, and the old one counts for a whole
 * turn of the event loop more, in which it delivers what the system had queued before the new one was open. If the
 * folder was moved or replaced before that, an event of its parent has removed it by then.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WatchHandles } from '../../../contract/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import { openWithChokidar } from './chokidar-handle.ts'
import type { FolderHandle, FolderHandles, WatchedFolder } from './folder-handles.ts'

/** How many folders are handed over at once: chokidar lists each of them. */
const AT_ONCE = 16

interface HandoverOptions {
  readonly handles: FolderHandles
  readonly clock: Clock
  /** How long folders keep the handle that they have, ms. */
  readonly delay: number
  /** An event of the folder's current handle. */
  onEvent(folder: WatchedFolder, event: string, name: string | null): void
  /** Events of the folder may be missing. */
  onDoubt(folder: WatchedFolder): void
}

export type Handover = ReturnType<typeof createHandover>

export function createHandover({ handles, clock, delay, onEvent, onDoubt }: HandoverOptions) {
  const waiting: WatchedFolder[] = []
  let cancelStart: (() => void) | null = null
  let to: WatchHandles = 'chokidar'
  let running = 0

  const replace = (folder: WatchedFolder, handle: FolderHandle) => {
    const former = folder.handle
    folder.handle = handle
    former.close()
  }
  const openChokidar = (folder: WatchedFolder): FolderHandle => {
    const handle = openWithChokidar(handles.pathOf(folder.rel), {
      onEvent(event, name) {
        if (folder.handle === handle) onEvent(folder, event, name)
      },
      onUnreliable(isLoss) {
        if (folder.next === handle) {
          folder.next = null
          handle.close()
        } else if (folder.handle === handle && folder.open) {
          const own = handles.reopen(folder)
          if (own) replace(folder, own)
          if (isLoss) onDoubt(folder)
        } else return
        if (!isLoss) add([folder])
      }
    })
    return handle
  }
  const handOver = async (folder: WatchedFolder) => {
    const next = to === 'chokidar' ? openChokidar(folder) : handles.reopen(folder)
    if (!next) return
    folder.next = next
    const isOpen = await next.opened
    if (isOpen) {
      await nextTurn()
      await nextTurn()
    }
    const isStillNext = folder.next === next
    if (isStillNext) folder.next = null
    if (isOpen && isStillNext && folder.open && next.by === to) replace(folder, next)
    else next.close()
  }
  const run = async () => {
    running++
    // In a later turn: by then the handle of a folder that was at the same path is closed.
    await nextTurn()
    for (let folder = waiting.pop(); folder; folder = waiting.pop())
      if (folder.open && folder.handle.by !== to) await handOver(folder)
    running--
  }
  const start = () => {
    cancelStart = null
    for (let free = Math.min(AT_ONCE, waiting.length) - running; free > 0; free--) void run()
  }
  const add = (folders: Iterable<WatchedFolder>) => {
    for (const folder of folders) if (folder.handle.by !== to) waiting.push(folder)
    if (waiting.length > 0) cancelStart ??= clock.setTimeout(start, delay)
  }

  return {
    /** The kind of handle that folders get. */
    kind: (): WatchHandles => to,
    /** Hands over the folders that have a handle of another kind, a while later. */
    add,
    /** From now on folders get `kind`; `folders`: those that there are. */
    change(kind: WatchHandles, folders: Iterable<WatchedFolder>) {
      to = kind
      waiting.length = 0
      add(folders)
    },
    close() {
      cancelStart?.()
      waiting.length = 0
    }
  }
}
