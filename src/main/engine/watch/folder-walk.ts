/**
 * Watches folders that have no watch yet: from the root at the start, later where an event named a new folder.
 *
 * Invariant: a folder is watched before it is listed, and reported as a tree once it is watched. Changes before that
 * are found by comparing the tree, later ones have an event, so none is missed. At the start nothing is reported: a scan
 * of everything follows, or it takes the place of the walk and lists each folder once it is watched (`beginScan`).
 */
import { type Dirent, readdirSync, type Stats } from 'node:fs'
import { childOf } from '../files/paths.ts'
import { type EventSink, isNeverWatched, RULE_FILES } from './folder-events.ts'
import type { FolderHandles, WatchedFolder } from './folder-handles.ts'
import { createSlicedQueue } from './sliced-queue.ts'

interface WalkOptions {
  readonly handles: FolderHandles
  readonly ignoresDir: (relDir: string) => boolean
  readonly sink: EventSink
  /** Every folder known so far is watched; `added`: those that were not when it was called before. */
  onDone(added: readonly WatchedFolder[]): void
}

/** `name`: a child to watch; null: list the folder again, with everything below it. */
interface Task {
  readonly folder: WatchedFolder
  readonly name: string | null
}

export type FolderWalk = ReturnType<typeof createFolderWalk>

export function createFolderWalk({ handles, ignoresDir, sink, onDone }: WalkOptions) {
  /** The first walk reports nothing: a scan of everything follows it. */
  let first = true
  /** A scan enters the folders: they are not complete before it ends. */
  let scanning = false
  let added: WatchedFolder[] = []

  const tasks = createSlicedQueue<Task>(
    ({ folder, name }) => {
      if (!folder.open) return
      if (name === null) list(folder, { deep: true })
      else watchChild(folder, name)
    },
    () => {
      if (scanning) return
      first = false
      const done = added
      added = []
      onDone(done)
    }
  )
  /** Null if it has a watch already, or can have none. */
  const enterChild = (parent: WatchedFolder, name: string) => {
    if (parent.children?.has(name)) return null
    const entered = handles.add(childOf(parent.rel, name))
    if (!entered) return null
    parent.children ??= new Map()
    parent.children.set(name, entered.folder)
    added.push(entered.folder)
    return entered
  }
  const watchChild = (parent: WatchedFolder, name: string) => {
    const folder = enterChild(parent, name)?.folder
    if (!folder) return
    if (!first) sink.treeChanged(folder.rel)
    list(folder, { deep: false })
  }
  const addIgnored = (folder: WatchedFolder, name: string) => {
    folder.ignored ??= new Set()
    folder.ignored.add(name)
  }
  /** Adds a task for each child. `deep`: also for those that are watched already. */
  const list = (folder: WatchedFolder, { deep }: { readonly deep: boolean }) => {
    let entries: Dirent[]
    try {
      entries = readdirSync(handles.pathOf(folder.rel), { withFileTypes: true })
    } catch {
      // Deleted or made unreadable since it was watched: its parent has an event.
      return
    }
    let files = 0
    folder.ignored = null
    for (const entry of entries) {
      // May have been written before the folder was watched; reported because it changes the rules.
      if (!first && !deep && RULE_FILES.includes(entry.name)) sink.pathChanged(childOf(folder.rel, entry.name))
      if (!entry.isDirectory()) files++
      if (!entry.isDirectory() || isNeverWatched(entry.name)) continue
      const child = folder.children?.get(entry.name)
      if (child) {
        if (deep) tasks.add({ folder: child, name: null })
      } else if (ignoresDir(childOf(folder.rel, entry.name))) addIgnored(folder, entry.name)
      else tasks.add({ folder, name: entry.name })
    }
    handles.countFiles(folder, files)
  }
  /** Lists nothing: every other folder that there is has a watch, or an event. */
  const judgeAgain = (folder: WatchedFolder) => {
    for (const name of folder.ignored ?? []) {
      if (ignoresDir(childOf(folder.rel, name))) continue
      folder.ignored?.delete(name)
      tasks.add({ folder, name })
    }
    if (folder.children) for (const child of folder.children.values()) judgeAgain(child)
  }
  const add = (task: Task) => {
    tasks.add(task)
    tasks.start()
  }

  return {
    /** Watches the new child `name` and all below it. */
    addChild: (folder: WatchedFolder, name: string) => add({ folder, name }),
    /** Watches whatever is in the folder and has no watch. */
    addMissing: (folder: WatchedFolder) => add({ folder, name: null }),
    /** The new child `name` is a folder that the rules ignore. */
    addIgnored,
    /** [CK-2] A scan enters the folders. Those that events add meanwhile are reported: the scan may have passed them. */
    beginScan() {
      scanning = true
      first = false
    },
    /** Watches the child `name`, which the scan lists. Returns its stat; null if it has a watch already, or can have none. */
    enterChild: (folder: WatchedFolder, name: string): Stats | null => enterChild(folder, name)?.stats ?? null,
    /** `isComplete`: every folder was entered. */
    endScan(top: WatchedFolder, { isComplete }: { readonly isComplete: boolean }) {
      scanning = false
      if (!isComplete) tasks.add({ folder: top, name: null })
      tasks.start()
    },
    /** Watches the folders in the folder and below that the rules no longer ignore. */
    addUnignored(folder: WatchedFolder) {
      judgeAgain(folder)
      tasks.start()
    },
    /** Resolves when every folder known so far is watched. */
    settled: () => (!first && !scanning && tasks.isEmpty() ? Promise.resolve() : tasks.settled()),
    close: tasks.close
  }
}
