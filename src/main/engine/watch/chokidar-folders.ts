/**
 * Watches with chokidar, restricted to folders: for systems where one handle covers a whole tree (macOS, Windows).
 *
 * Names come from its raw events, which it passes on as the system delivers them. Its own tracking of files is switched
 * off: it costs memory per file, and a new listing of the folder for each deleted file.
 */
import { basename, isAbsolute, join } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { childOf } from '../files/paths.ts'
import { countEvent } from './event-burst.ts'
import { meaningOf } from './event-meaning.ts'
import { type EventSink, type FolderEvents, type FolderEventsOptions, RULE_FILES } from './folder-events.ts'
import { createQuiet } from './quiet.ts'
import { createWatchedPaths, type WatchedPaths } from './watched-paths.ts'

/** What the listeners share. */
interface Listening {
  readonly root: string
  readonly paths: WatchedPaths
  readonly sink: EventSink
  readonly ignoresDir: (relDir: string) => boolean
  /** Every folder known so far is watched. */
  isReady: boolean
  closed: boolean
}

export function watchWithChokidar({ root, ignoresDir, clock, sink }: FolderEventsOptions): FolderEvents {
  const paths = createWatchedPaths(root, ignoresDir)
  const quiet = createQuiet(clock)
  const listening: Listening = { root, paths, sink, ignoresDir, isReady: false, closed: false }
  const watcher = watch(root, {
    persistent: false,
    followSymlinks: false,
    atomic: false,
    ignorePermissionErrors: true,
    ignored(path, stats) {
      const rel = paths.relOf(path)
      // chokidar watches folders above the root while the root is missing.
      if (rel === '' || rel === null) return false
      if (stats) return !stats.isDirectory() || paths.isExcluded(rel) || ignoresDir(rel)
      // Without stats chokidar has not read the path yet: a deleted file must not make it list the whole folder.
      return paths.isExcluded(rel) || (!paths.folders.has(rel) && !paths.isFolder(rel))
    }
  })
  const started = new Promise<void>((resolve) => {
    watcher.on('ready', () => {
      listening.isReady = true
      if (!listening.closed) sink.ready()
      resolve()
    })
  })
  watcher.on('raw', (event: string, name: string | null, details: unknown) => {
    countEvent()
    quiet.event()
    if (listening.closed) return
    reportEvent(listening, { event, name, watched: (details as { watchedPath?: string }).watchedPath ?? root })
  })
  listenToFolders(watcher, listening)

  return {
    // libuv drops the flags with which macOS reports it (kFSEventStreamEventFlagUserDropped, KernelDropped).
    showsLoss: false,
    handles: () => 'chokidar',
    folders: () => paths.folders.size,
    // Events of different handles, and so of the barrier, keep no order.
    async settled() {
      await started
      await quiet.wait()
    },
    rulesChanged(rel) {
      // Events arrive for every folder and are filtered by the current rules: there is nothing to subscribe.
      sink.treeChanged(rel)
    },
    async close() {
      listening.closed = true
      await watcher.close()
    }
  }
}

/** Follows the set of folders. chokidar finds a folder some time after its event. */
function listenToFolders(watcher: FSWatcher, listening: Listening): void {
  const { paths, sink } = listening
  watcher.on('addDir', (path) => {
    const rel = paths.relOf(path)
    if (rel === null) return
    paths.folders.add(rel)
    if (!listening.closed && listening.isReady) reportNewFolder(listening, rel)
  })
  watcher.on('unlinkDir', (path) => {
    const rel = paths.relOf(path)
    if (rel === null) return
    paths.folders.delete(rel)
    if (listening.closed) return
    if (rel === '') sink.rootUncertain()
    else sink.treeChanged(rel)
  })
  watcher.on('error', (error) => {
    if (!listening.closed) sink.failed(error as NodeJS.ErrnoException)
  })
}

/** Everything in the folder, and its rule files by name, because they change what is watched. */
function reportNewFolder({ paths, sink }: Listening, rel: string): void {
  sink.treeChanged(rel)
  for (const name of RULE_FILES) {
    const file = childOf(rel, name)
    if (paths.statOf(file)) sink.pathChanged(file)
  }
}

interface RawEvent {
  /** 'rename' or 'change' */
  readonly event: string
  /** Relative to `watched`, in Windows also absolute. */
  readonly name: string | null
  /** Absolute path of the folder that the handle watches. */
  readonly watched: string
}

function reportEvent(listening: Listening, { event, name, watched }: RawEvent): void {
  const { root, paths, sink, ignoresDir } = listening
  const folder = paths.relOf(watched)
  const rel = name === null ? folder : paths.relOf(isAbsolute(name) ? name : join(watched, name))
  if (folder === null || rel === null || (rel === '' && name !== null)) {
    sink.rootUncertain()
    return
  }
  const child = name === null ? null : folder === '' ? rel : rel.slice(folder.length + 1)
  const isWatchedChild = (of: string) => paths.folders.has(childOf(folder, of))
  switch (
    meaningOf({ folder, event, name: child }, { rootName: basename(root), statOf: paths.statOf, isWatchedChild })
  ) {
    case 'unknown-entry':
      sink.treeChanged(folder)
      return
    case 'root-uncertain':
      sink.rootUncertain()
      // Or an entry with the name of the root is gone.
      if (!listening.closed && rel !== '') sink.pathChanged(rel)
      return
    case 'entry':
      if (paths.isExcluded(rel)) return
      if (event === 'rename' && !ignoresDir(rel) && paths.isFolder(rel)) reportNewFolder(listening, rel)
      sink.pathChanged(rel)
      return
    case 'repository':
      if (!paths.isExcluded(folder)) sink.pathChanged(rel)
      return
    case 'nothing':
  }
}
