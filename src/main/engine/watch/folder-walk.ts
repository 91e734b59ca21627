/**
 * Watches folders that have no watch yet: from the root at the start, later where an event named a new folder.
 *
 * Invariant: a folder is watched before it is listed, and reported as a tree once it is watched. Changes before that
 * are found by comparing the tree, later ones have an event, so none is missed. The first walk does not list a folder
 * whose names are surely those of the log.
 */
import { type Dirent, readdirSync, type Stats } from 'node:fs'
import { childOf } from '../files/paths.ts'
import { type EventSink, isNeverWatched, type RecordedFolder, RULE_FILES } from './folder-events.ts'
import type { FolderHandles, WatchedFolder } from './folder-handles.ts'
import { createSlicedQueue } from './sliced-queue.ts'

interface WalkOptions {
  readonly handles: FolderHandles
  readonly ignoresDir: (relDir: string) => boolean
  readonly sink: EventSink
  /** Every folder known so far is watched; `added`: those that were not when it was called before. */
  onDone(added: readonly WatchedFolder[]): void
}

/** `name`: a child to watch; null: list the folder again, with everything below it. `recorded`: that child. */
interface Task {
  readonly folder: WatchedFolder
  readonly name: string | null
  readonly recorded?: RecordedFolder
}

export function createFolderWalk({ handles, ignoresDir, sink, onDone }: WalkOptions) {
  /** The first walk reports nothing: a scan of everything follows it. */
  let first = true
  let added: WatchedFolder[] = []

  const tasks = createSlicedQueue<Task>(
    ({ folder, name, recorded }) => {
      if (!folder.open) return
      if (name === null) list(folder, true)
      else watchChild(folder, name, recorded)
    },
    () => {
      first = false
      const done = added
      added = []
      onDone(done)
    }
  )
  const watchChild = (parent: WatchedFolder, name: string, recorded?: RecordedFolder) => {
    if (parent.children?.has(name)) return
    const watched = handles.add(childOf(parent.rel, name))
    if (!watched) return
    const { folder, stats } = watched
    parent.children ??= new Map()
    parent.children.set(name, folder)
    added.push(folder)
    if (!first) sink.treeChanged(folder.rel)
    if (!recorded || !addRecorded(folder, recorded, stats)) list(folder, false)
  }
  const addFound = (folder: WatchedFolder, name: string, recorded?: RecordedFolder) => {
    if (ignoresDir(childOf(folder.rel, name))) addIgnored(folder, name)
    else tasks.add({ folder, name, ...(recorded && { recorded }) })
  }
  /** Adds a task for each child that the log has; false if the folder has to be listed. */
  const addRecorded = (folder: WatchedFolder, recorded: RecordedFolder, stats: Stats): boolean => {
    const entries = recorded.entries(stats)
    if (!entries) return false
    for (const child of entries.folders) addFound(folder, child.name, child)
    handles.countFiles(folder, entries.files)
    return true
  }
  const addIgnored = (folder: WatchedFolder, name: string) => {
    folder.ignored ??= new Set()
    folder.ignored.add(name)
  }
  /** Adds a task for each child. `deep`: also for those that are watched already. */
  const list = (folder: WatchedFolder, deep: boolean) => {
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
      if (!child) addFound(folder, entry.name)
      else if (deep) tasks.add({ folder: child, name: null })
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
    /** Begins with the root. */
    begin(root: WatchedFolder, stats: Stats, recorded: RecordedFolder | null) {
      if (recorded && addRecorded(root, recorded, stats)) tasks.start()
      else add({ folder: root, name: null })
    },
    /** Watches whatever is in the folder and has no watch. */
    addMissing: (folder: WatchedFolder) => add({ folder, name: null }),
    /** The new child `name` is a folder that the rules ignore. */
    addIgnored,
    /** Watches the folders in the folder and below that the rules no longer ignore. */
    addUnignored(folder: WatchedFolder) {
      judgeAgain(folder)
      tasks.start()
    },
    /** Resolves when every folder known so far is watched. */
    settled: () => (!first && tasks.isEmpty() ? Promise.resolve() : tasks.settled()),
    close: tasks.close
  }
}
