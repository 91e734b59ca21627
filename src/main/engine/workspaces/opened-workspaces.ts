/**
 * The workspaces that are open in this process. Invariants: each is opened at most once; none is opened once closing
 * began; before a workspace closes, app.db notes how much its history holds, so that a loss is noticed (ST-3).
 */
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import type { Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import { siblingsOf } from '../git/git-worktrees.ts'
import { type AppStore, findFolderAt, readHistoryNote, readSetting } from '../store/app-store.ts'
import { coverageState } from '../store/coverage.ts'
import { readMeta } from '../store/meta.ts'
import { putFolderCard } from './folder-list.ts'
import { noteHistory, requireHistoryFile, requireWholeHistory } from './lost-history.ts'
import { foldersInside, type RecordedFolders, toWorkspace } from './recorded-folders.ts'
import type { ReleasedFolders } from './released-folders.ts'
import { storeFile } from './store-file.ts'
import type { OpenWorkspace } from './workspace.ts'

/** What the registry knows about a workspace that is opened. */
export interface Opening {
  readonly workspace: Workspace
  /** Recorded folders inside, kept up to date by the registry; git worktrees are added. */
  readonly boundaries: Set<string>
  /** Of these the recorded folders. */
  readonly recordedInside: ReadonlySet<string>
  /** Whether an absolute path belongs to another recorded folder. */
  isRecordedElsewhere(folder: string): boolean
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
  /** Throws HistoryLost if the history ends at `lastSeq`, but held more before. */
  checkHistory(lastSeq: number): void
  /** [WT-1] The workspace whose history a new worktree shares contents with; null for any other folder. */
  sharesWith(): OpenWorkspace | null
  /** The history may hold more now. Cheap: most calls do nothing. */
  noteHistory(workspace: OpenWorkspace): void
}

export type StartWorkspace = (opening: Opening) => OpenWorkspace

const CLOSING = 'Driftline is closing. Recorded history is safe. Open Driftline again, then retry.'

export function createOpenedWorkspaces(
  store: AppStore,
  dataDir: string,
  folders: RecordedFolders,
  start: StartWorkspace
) {
  const entries = new Map<
    WorkspaceId,
    { workspace: OpenWorkspace; boundaries: Set<string>; recordedInside: Set<string> }
  >()
  let closing = false

  /** Recorded folders inside this one, and our own data if it is inside. */
  const boundariesOf = (root: string): string[] =>
    foldersInside(root, [...folders.list().map((workspace) => workspace.root), dataDir])
  const noteEnd = (workspace: OpenWorkspace, due: 'soon' | 'now'): void =>
    noteHistory(store, workspace.workspace.id, workspace.store.records.lastSeq(), workspace.now(), due)
  /** Throws HistoryLost, before anything is created. */
  const openingOf = (workspace: Workspace, boundaries: Set<string>, recordedInside: Set<string>): Opening => {
    const { id, root } = workspace
    const note = readHistoryNote(store, id)
    const file = storeFile(dataDir, id)
    requireHistoryFile(root, file, note)
    return {
      workspace,
      boundaries,
      recordedInside,
      isRecordedElsewhere: (folder) => ![undefined, id].includes(folders.findContaining(folder)?.workspace.id),
      setting: (key) => readSetting(store, key),
      sharesWith: () => siblingToShareWith(root),
      checkHistory: (lastSeq) => requireWholeHistory(root, file, note, lastSeq),
      noteHistory: (grown) => noteEnd(grown, 'soon')
    }
  }
  const whenClosed = async <T>(id: WorkspaceId, act: () => T): Promise<T> => {
    for (let entry = entries.get(id); entry; entry = entries.get(id)) {
      entries.delete(id)
      noteEnd(entry.workspace, 'now')
      await entry.workspace.close()
    }
    return act()
  }

  const open = (id: WorkspaceId): OpenWorkspace => {
    const registered = folders.find(id)
    const known = entries.get(registered.id)
    if (known) return known.workspace
    if (closing) throw new DriftlineError('Disconnected', CLOSING)
    const boundaries = new Set(boundariesOf(registered.root))
    const recordedInside = new Set(boundaries)
    const opening = openingOf(toWorkspace(registered), boundaries, recordedInside)
    const workspace = withKnownErrors(() => start(opening))
    noteEnd(workspace, 'soon')
    putFolderCard(store, dataDir, registered, workspace.store)
    entries.set(registered.id, { workspace, boundaries, recordedInside })
    return workspace
  }
  const siblingToShareWith = (root: string): OpenWorkspace | null => {
    for (const folder of siblingsOf(root)) {
      const row = findFolderAt(store, folder)
      const sibling = row && openOrNull(() => open(row.id))
      // One level: what a worktree shares, it must have itself.
      if (sibling && readMeta(sibling.store, 'parent') === null && coverageState(sibling.store) === 'complete')
        return sibling
    }
    return null
  }

  return {
    /** The open workspace; opens it if needed. Throws DriftlineErrors alone. */
    open,
    opened: (): OpenWorkspace[] => [...entries.values()].map((entry) => entry.workspace),
    /** Null when it is not open. */
    openedWith: (id: WorkspaceId): OpenWorkspace | null => entries.get(id)?.workspace ?? null,
    /**
     * The list of folders changed: each open workspace excludes the recorded folders inside it. Returns those that are none
     * any more.
     */
    refreshBoundaries: (): ReleasedFolders[] =>
      [...entries.values()].map(({ workspace, boundaries, recordedInside }) => {
        const before = [...recordedInside]
        boundaries.clear()
        recordedInside.clear()
        for (const boundary of boundariesOf(workspace.root)) {
          boundaries.add(boundary)
          recordedInside.add(boundary)
        }
        return { workspace, folders: before.filter((folder) => !recordedInside.has(folder)) }
      }),
    /** Closes the workspace, then runs `act`. A loop, because another caller may open it again while it closes. */
    whenClosed,
    close: async (): Promise<void> => {
      closing = true
      await Promise.all([...entries.keys()].map((id) => whenClosed(id, () => {})))
    }
  }
}

/** A history that cannot be opened, whatever the reason, costs its own folder: all others are listed and recorded. */
function withKnownErrors<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    const { code, message, data } = toErrorShape(error)
    throw new DriftlineError(code, message, data)
  }
}

/** Null if its history cannot be read: the list of folders says why. */
function openOrNull(open: () => OpenWorkspace): OpenWorkspace | null {
  try {
    return open()
  } catch (error) {
    if (error instanceof DriftlineError) return null
    throw error
  }
}
