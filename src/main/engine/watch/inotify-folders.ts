/**
 * Watches with one handle per folder: for Linux, where no handle covers a tree. The handles are those of chokidar, as on
 * the other systems, unless the folder is large or a worktree: then each is a plain `fs.watch`, which costs less
 * (docs/design/0004).
 *
 * Which folders there are is followed here in both cases, because chokidar by itself loses folders that are moved and
 * made again. Every folder begins with `fs.watch`, which listens at once, and is handed over (handover.ts).
 */
import { nameOf, parentOf } from '../files/paths.ts'
import { createEntryEvents } from './entry-events.ts'
import type { FolderEvents, FolderEventsOptions, OpenFolderEvents } from './folder-events.ts'
import { createFolderHandles, type WatchedFolder } from './folder-handles.ts'
import { createFolderWalk } from './folder-walk.ts'
import { CHOKIDAR_LIMITS, type ChokidarLimits, createHandleKind } from './handle-kind.ts'
import { createHandover } from './handover.ts'

/** How long the walk waits for a scan that takes its place: a recorder makes it as soon as it has opened the folder, ms. */
const SCAN_WAIT_MS = 100

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

  const onEvent = (folder: WatchedFolder, event: string, name: string | null) => entryEvents(folder, event, name)
  const onFailure = (error: NodeJS.ErrnoException) => {
    if (closed) return
    stop()
    sink.failed(error)
  }
  const onWalked = (added: readonly WatchedFolder[]) => {
    if (kind.judge() && ready) sink.handlesChanged()
    handover.add(added)
    if (ready) return
    ready = true
    handover.add(top ? [top] : [])
    sink.ready()
  }
  const stop = () => {
    closed = true
    cancelStart?.()
    kind.close()
    walk.close()
    handover.close()
    handles.close(top)
  }

  const handles = createFolderHandles(root, { onEvent, onFailure })
  const walk = createFolderWalk({ handles, ignoresDir, sink, onDone: onWalked })
  const handover = createHandover({
    handles,
    clock,
    delay: limits.delay,
    onEvent,
    onDoubt: (folder) => sink.treeChanged(folder.rel)
  })
  const kind = createHandleKind({
    limits,
    handles,
    handover,
    clock,
    all: () => (top ? allOf(top) : []),
    recount: () => top?.open && walk.addMissing(top)
  })
  const entryEvents = createEntryEvents({ root, handles, walk, ignoresDir, sink, onFile: kind.fileCame })

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
      // A scan enters the folders of one parent in a row.
      let last: WatchedFolder | null = null
      const parentOfEntered = (rel: string): WatchedFolder | null => {
        const path = parentOf(rel)
        if (last?.rel !== path || !last.open) last = folderAt(opened, path)
        return last
      }
      return {
        enter(rel) {
          const parent = closed || rel === '' ? null : parentOfEntered(rel)
          return parent && walk.enterChild(parent, nameOf(rel))
        },
        skip(rel) {
          const parent = folderAt(opened, parentOf(rel))
          if (parent) walk.addIgnored(parent, nameOf(rel))
        },
        end(paths) {
          if (closed) return
          if (paths !== null) handles.countFiles(opened, Math.max(0, paths - handles.count()))
          walk.endScan(opened, { isComplete: paths !== null })
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

function* allOf(top: WatchedFolder): Generator<WatchedFolder> {
  const pending = [top]
  for (let folder = pending.pop(); folder; folder = pending.pop()) {
    yield folder
    if (folder.children) pending.push(...folder.children.values())
  }
}
