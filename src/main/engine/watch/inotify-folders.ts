/**
 * Watches with one handle per folder: for Linux, where no handle covers a tree. The handles are those of chokidar, as on
 * the other systems, unless the folder is large or a worktree: then each is a plain `fs.watch`, which costs less
 * (docs/design/0004).
 *
 * Which folders there are is followed here in both cases, because chokidar by itself loses folders that are moved and
 * made again. Every folder begins with `fs.watch`, which listens at once, and is handed over (handover.ts).
 */
import { basename } from 'node:path'
import { childOf, nameOf, parentOf } from '../files/paths.ts'
import { countEvent } from './event-burst.ts'
import { meaningOf } from './event-meaning.ts'
import { type FolderEvents, type FolderEventsOptions, lstatOrNull, type OpenFolderEvents } from './folder-events.ts'
import { createFolderHandles, type WatchedFolder } from './folder-handles.ts'
import { createFolderWalk } from './folder-walk.ts'
import { createHandover } from './handover.ts'

/** A workspace with more folders or files is large. */
interface ChokidarLimits {
  readonly folders: number
  readonly files: number
}

export const CHOKIDAR_LIMITS: ChokidarLimits = { folders: 1000, files: 10_000 }
/** Every folder is large. */
export const NEVER_CHOKIDAR: ChokidarLimits = { folders: 0, files: 0 }

/** How long the walk waits for a scan that takes its place: the call that opened the workspace makes it at once, ms. */
const SCAN_WAIT_MS = 20

/** Files that come are counted as they come, and a listing tells how many replaced another; at most so often, ms. */
const RECOUNT_MS = 1000

export const watchEachFolder =
  (limits: ChokidarLimits = CHOKIDAR_LIMITS): OpenFolderEvents =>
  (options) =>
    openEachFolder(options, limits)

function openEachFolder(options: FolderEventsOptions, limits: ChokidarLimits): FolderEvents {
  const { root, ignoresDir, clock, awaitsScan, sink } = options
  let top: WatchedFolder | null = null
  let ready = false
  let closed = false
  let cancelStart: (() => void) | null = null
  let cancelRecount: (() => void) | null = null

  const isLarge = () => handles.count() > limits.folders || handles.files() > limits.files
  const onEvent = (folder: WatchedFolder, event: string, name: string | null) => {
    countEvent()
    if (!folder.open || closed) return
    const isWatchedChild = (child: string) => folder.children?.has(child) ?? false
    switch (meaningOf({ folder: folder.rel, event, name }, { rootName: basename(root), statOf, isWatchedChild })) {
      case 'unknown-entry':
        sink.treeChanged(folder.rel)
        walk.addMissing(folder)
        return
      case 'root-uncertain':
        sink.rootUncertain()
        // Or an entry with the name of the root is gone.
        if (!closed && name !== null) entryEvent(folder, event, name)
        return
      case 'entry':
        entryEvent(folder, event, name as string)
        return
      case 'repository':
        sink.pathChanged(childOf(folder.rel, name as string))
        return
      case 'nothing':
    }
  }

  const entryEvent = (folder: WatchedFolder, event: string, name: string) => {
    const rel = childOf(folder.rel, name)
    if (event === 'rename') entryReplaced(folder, name, rel)
    else if (handles.isRefused(rel)) walk.addChild(folder, name)
    sink.pathChanged(rel)
  }

  /**
   * An entry was created, deleted or replaced. Inode numbers are reused at once, so a watched folder is always watched
   * again.
   */
  const entryReplaced = (folder: WatchedFolder, name: string, rel: string) => {
    const stats = statOf(rel)
    const child = folder.children?.get(name)
    folder.ignored?.delete(name)
    if (child) {
      folder.children?.delete(name)
      handles.remove(child)
      sink.treeChanged(rel)
    }
    if (stats && !stats.isDirectory()) fileCame(folder)
    if (!stats?.isDirectory()) return
    if (ignoresDir(rel)) {
      walk.addIgnored(folder, name)
      return
    }
    sink.treeChanged(rel)
    walk.addChild(folder, name)
  }
  const fileCame = (folder: WatchedFolder) => {
    handles.countFiles(folder, folder.files + 1)
    if (handover.kind() !== 'chokidar' || handles.files() <= limits.files) return
    cancelRecount ??= clock.setTimeout(() => {
      cancelRecount = null
      if (top?.open) walk.addMissing(top)
    }, RECOUNT_MS)
  }
  /** Large for good: a workspace whose size is near the limit would change to and fro. */
  const becomeLarge = () => {
    handover.change('fs.watch', top ? allOf(top) : [])
    if (ready) sink.handlesChanged()
  }

  const onFailure = (error: NodeJS.ErrnoException) => {
    if (closed) return
    stop()
    sink.failed(error)
  }
  const stop = () => {
    closed = true
    cancelStart?.()
    cancelRecount?.()
    walk.close()
    handover.close()
    handles.close(top)
  }

  const handles = createFolderHandles(root, { onEvent, onFailure })
  const statOf = (rel: string) => lstatOrNull(handles.pathOf(rel))
  const walk = createFolderWalk({
    handles,
    ignoresDir,
    sink,
    onDone(added) {
      if (handover.kind() === 'chokidar' && isLarge()) becomeLarge()
      handover.add(added)
      if (ready) return
      ready = true
      handover.add(top ? [top] : [])
      sink.ready()
    }
  })
  const handover = createHandover({ handles, onEvent, onDoubt: (folder) => sink.treeChanged(folder.rel) })

  const openTop = (): WatchedFolder | null => {
    cancelStart?.()
    top = handles.add('')?.folder ?? null
    if (!top && !closed) sink.rootUncertain()
    return top
  }
  const start = () => {
    const opened = closed || top ? null : openTop()
    if (opened) walk.addMissing(opened)
  }
  // Deferred until the caller holds the result, because the sink may close it.
  if (awaitsScan) cancelStart = clock.setTimeout(start, SCAN_WAIT_MS)
  else setImmediate(start)

  return {
    showsLoss: true,
    handles: handover.kind,
    folders: handles.count,
    settled: walk.settled,
    rulesChanged(rel) {
      const folder = top && folderAt(top, rel)
      if (folder?.open) walk.addUnignored(folder)
    },
    beginScan() {
      const opened = closed || top ? null : openTop()
      if (!opened) return null
      walk.beginScan()
      return {
        enter(rel) {
          const parent = closed || rel === '' ? null : folderAt(opened, parentOf(rel))
          return parent && walk.enterChild(parent, nameOf(rel))
        },
        skip(rel) {
          const parent = folderAt(opened, parentOf(rel))
          if (parent) walk.addIgnored(parent, nameOf(rel))
        },
        end(paths) {
          if (closed) return
          if (paths !== null) handles.countFiles(opened, Math.max(0, paths - handles.count()))
          walk.endScan(opened, paths !== null)
        }
      }
    },
    close() {
      if (!closed) stop()
      return Promise.resolve()
    }
  }
}

/** Null if it is not watched. */
function folderAt(top: WatchedFolder, rel: string): WatchedFolder | null {
  let folder: WatchedFolder | null = top
  for (const name of rel === '' ? [] : rel.split('/')) folder = folder?.children?.get(name) ?? null
  return folder
}

function* allOf(folder: WatchedFolder): Generator<WatchedFolder> {
  yield folder
  if (folder.children) for (const child of folder.children.values()) yield* allOf(child)
}
