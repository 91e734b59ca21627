/** Follows the events of watched folders: reports what changed, and keeps the tree of watches as the folders are. */
import { basename } from 'node:path'
import { childOf } from '../files/paths.ts'
import { countEvent } from './event-burst.ts'
import { meaningOf } from './event-meaning.ts'
import { type EventSink, lstatOrNull } from './folder-events.ts'
import type { FolderHandles, WatchedFolder } from './folder-handles.ts'
import type { FolderWalk } from './folder-walk.ts'

interface EntryEventsOptions {
  readonly root: string
  readonly handles: FolderHandles
  readonly walk: FolderWalk
  readonly ignoresDir: (relDir: string) => boolean
  readonly sink: EventSink
  /** The folder has one more file, or another one of that name. */
  readonly onFile: (folder: WatchedFolder) => void
}

/** Returns what gets an event of a folder's current handle. */
export function createEntryEvents({ root, handles, walk, ignoresDir, sink, onFile }: EntryEventsOptions) {
  const rootName = basename(root)
  const statOf = (rel: string) => lstatOrNull(handles.pathOf(rel))

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
    if (stats && !stats.isDirectory()) onFile(folder)
    if (!stats?.isDirectory()) return
    if (ignoresDir(rel)) {
      walk.addIgnored(folder, name)
      return
    }
    sink.treeChanged(rel)
    walk.addChild(folder, name)
  }
  const entryEvent = (folder: WatchedFolder, event: string, name: string) => {
    const rel = childOf(folder.rel, name)
    if (event === 'rename') entryReplaced(folder, name, rel)
    else if (handles.isRefused(rel)) walk.addChild(folder, name)
    sink.pathChanged(rel)
  }

  return (folder: WatchedFolder, event: string, name: string | null) => {
    countEvent()
    if (!folder.open) return
    const isWatchedChild = (child: string) => folder.children?.has(child) ?? false
    switch (meaningOf({ folder: folder.rel, event, name }, { rootName, statOf, isWatchedChild })) {
      case 'unknown-entry':
        sink.treeChanged(folder.rel)
        walk.addMissing(folder)
        return
      case 'root-uncertain':
        // The sink may close the watch.
        sink.rootUncertain()
        // Or an entry with the name of the root is gone.
        if (folder.open && name !== null) entryEvent(folder, event, name)
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
}
