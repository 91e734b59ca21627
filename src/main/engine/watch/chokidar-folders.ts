/**
 * Watches with chokidar, restricted to folders: for systems where one handle covers a whole tree (macOS, Windows).
 *
 * Names come from its raw events. Its own tracking of files is switched off: it costs memory per file, and a new
 * listing of the folder for each deleted file.
 */
import { isAbsolute, join, relative, sep } from 'node:path'
import { watch } from 'chokidar'
import { foldersAbove, nameOf } from '../files/paths.ts'
import { countEvent } from './event-burst.ts'
import { type FolderEvents, type FolderEventsOptions, isNeverWatched, lstatOrNull } from './folder-events.ts'

export function watchWithChokidar({ root, ignoresDir, sink }: FolderEventsOptions): FolderEvents {
  const folders = new Set<string>()
  const waiting: (() => void)[] = []
  let ready = false
  let closed = false

  /** Root-relative, '/'-separated; '' for the root, null outside it. */
  const relOf = (path: string): string | null => {
    const rel = relative(root, path)
    if (rel === '..' || rel.startsWith(`..${sep}`) || isAbsolute(rel)) return null
    return sep === '/' ? rel : rel.split(sep).join('/')
  }
  /** True if `rel` is in a folder that is not watched, or is never watched itself. */
  const inIgnored = (rel: string): boolean =>
    isNeverWatched(nameOf(rel)) || foldersAbove(rel).some((above) => isNeverWatched(nameOf(above)) || ignoresDir(above))
  const isFolder = (path: string): boolean => lstatOrNull(path)?.isDirectory() ?? false

  const watcher = watch(root, {
    persistent: false,
    followSymlinks: false,
    atomic: false,
    ignorePermissionErrors: true,
    ignored(path, stats) {
      const rel = relOf(path)
      // chokidar watches folders above the root while the root is missing.
      if (rel === '' || rel === null) return false
      if (stats) return !stats.isDirectory() || inIgnored(rel) || ignoresDir(rel)
      // Without stats chokidar has not read the path yet: a deleted file must not make it list the whole folder.
      return inIgnored(rel) || (!folders.has(rel) && !isFolder(path))
    }
  })
  watcher.on('raw', (event: string, name: string | null, details: unknown) => {
    countEvent()
    if (closed) return
    const watchedPath = (details as { watchedPath?: string }).watchedPath ?? root
    if (name === null) {
      sink.treeChanged(relOf(watchedPath) ?? '')
      return
    }
    const path = isAbsolute(name) ? name : join(watchedPath, name)
    const rel = relOf(path)
    if (rel === null || rel === '') {
      sink.rootUncertain()
      return
    }
    if (inIgnored(rel)) return
    if (event === 'rename' && isFolder(path) && !ignoresDir(rel)) sink.treeChanged(rel)
    sink.pathChanged(rel)
  })
  watcher.on('addDir', (path) => {
    const rel = relOf(path)
    if (rel === null) return
    folders.add(rel)
    if (ready) sink.treeChanged(rel)
  })
  watcher.on('unlinkDir', (path) => {
    const rel = relOf(path)
    if (rel === null) return
    folders.delete(rel)
    if (rel === '') sink.rootUncertain()
    else sink.treeChanged(rel)
  })
  watcher.on('error', (error) => {
    if (!closed) sink.failed(error as NodeJS.ErrnoException)
  })
  watcher.on('ready', () => {
    ready = true
    if (!closed) sink.ready()
    for (const resolve of waiting.splice(0)) resolve()
  })

  return {
    ordered: false,
    // libuv drops the flags with which macOS reports it (kFSEventStreamEventFlagUserDropped, KernelDropped).
    showsLoss: false,
    folders: () => folders.size,
    settled: () => (ready || closed ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
    rulesChanged(rel) {
      // Raw events arrive for every folder and are filtered by the current rules: there is nothing to subscribe.
      sink.treeChanged(rel)
    },
    async close() {
      closed = true
      for (const resolve of waiting.splice(0)) resolve()
      await watcher.close()
    }
  }
}
