/** Opens a workspace: composes what each feature needs of it. What only a host does with it is in host-workspace.ts. */
import { join } from 'node:path'
import type { WatchMode } from '../../../contract/workspace.ts'
import { recordLateResults } from '../agents/inferred-interrupts.ts'
import { type CaptureSettings, readCaptureSettings } from '../capture/capture-settings.ts'
import { createIgnoreRules, type IgnoreRules } from '../capture/ignore-rules.ts'
import { missingReason } from '../capture/presence.ts'
import { checkDisk } from '../drift/check.ts'
import { createDiskWatch } from '../drift/disk-watch.ts'
import { createDiskSpace, type DiskSpace, type FreeBytes } from '../files/disk-space.ts'
import { createWorktreeBoundaries } from '../git/git-worktrees.ts'
import type { Clock } from '../ports/clock.ts'
import { createLock } from '../ports/lock.ts'
import { readRev } from '../store/meta.ts'
import type { PrepareSchema } from '../store/migrate.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { endDeadRuns } from './dead-runs.ts'
import type { HostParts } from './host-parts.ts'
import type { Opening } from './registry.ts'
import { storeFile } from './store-file.ts'
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts'
import type { Emit, OpenWorkspace } from './workspace.ts'

interface OpenWorkspaceOptions extends Opening {
  readonly dataDir: string
  readonly home: string
  readonly clock: Clock
  /** Whether this process watches folders now. */
  readonly watching: WatchMode
  /** Null in a hook, so that it loads none of them. */
  readonly parts: HostParts | null
  readonly ingestProgram: string
  /** Prepares the store; default: migrate it to the current schema. */
  readonly prepare?: PrepareSchema
  /** Replaces the measurement of free space in tests. */
  readonly freeBytes?: FreeBytes | undefined
  readonly emit: Emit
}

export function openWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  const { workspace, clock, dataDir, boundaries, parts, setting, emit } = options
  const { id, root } = workspace
  const store = openStore(storeFile(dataDir, id), options.prepare)
  try {
    options.checkHistory(store.records.lastSeq())
  } catch (error) {
    store.close()
    throw error
  }
  const settings = (): CaptureSettings => readCaptureSettings(setting, id)
  const rules = createIgnoreRules(root, settings())
  const space = createDiskSpace(dataDir, clock, options.freeBytes)
  const lock = createLock()
  const now = (): number => clock.now()
  const folder = openFolder(options, store, rules, space)

  const open: OpenWorkspace = {
    workspace,
    root,
    home: options.home,
    store,
    rules,
    boundaries,
    lock,
    disk: createDiskWatch({ watch: () => folder.watch, rules, now }),
    space,
    now,
    setting,
    ...createChangeNotices(store, id, emit, () => options.noteHistory(open)),
    reloadCaptureSettings: () => {
      rules.setCaptureSettings(settings())
      folder.watch?.rulesChanged('')
    },
    refreshWorktrees: createWorktreeBoundaries(root, boundaries),
    recordLateResults: () => recordLateResults(open),
    get sessions() {
      return required(parts).createAgentSessions(open)
    },
    endDeadRuns: () => endDeadRuns(open),
    refresh: async (mode) => {
      await endDeadRuns(open)
      await checkDisk(open, mode)
    },
    watcherState: folder.state,
    get snapshotProgress() {
      return hosted?.snapshotProgress ?? null
    },
    takeInitialSnapshot: () => required(hosted).takeInitialSnapshot(),
    stopInitialSnapshot: () => hosted?.stopInitialSnapshot(),
    sweep: (...request) => required(hosted).sweep(...request),
    setWatching: (to) => required(hosted).setWatching(to),
    close: async () => {
      await hosted?.close()
      // What holds the lock still writes.
      await lock.run(async () => {})
      store.close()
    }
  }
  const { ingestProgram } = options
  const hosted = parts?.hostWorkspace(open, { folder, clock, ingestProgram, settings, emit }) ?? null
  return open
}

/** The folder on disk, watched if this process watches. */
function openFolder(options: OpenWorkspaceOptions, store: Store, rules: IgnoreRules, space: DiskSpace): WatchedFolder {
  const { boundaries, clock, dataDir, parts, watching } = options
  const { id, root } = options.workspace
  const barrierDir = join(dataDir, 'w', id, 'barrier')
  const ignoresDir = (path: string): boolean => rules.ignoresDir(path) || boundaries.has(path)
  return createWatchedFolder({
    missingReason: () => missingReason(root, store),
    barrierDir,
    space,
    watching,
    start: () => required(parts).watchFolder({ root, ignoresDir, barrierDir, clock })
  })
}

/** Notifies clients of changes: of this process, or of others, whose commits show in `rev`. */
function createChangeNotices(
  store: Store,
  workspace: string,
  emit: Emit,
  noteHistory: () => void
): Pick<OpenWorkspace, 'notifyChanged' | 'detectForeignCommits'> {
  let rev = readRev(store)
  const notifyChanged: OpenWorkspace['notifyChanged'] = (kinds, paths = []) => {
    rev = readRev(store)
    emit('workspace.changed', { workspace, rev, kinds, paths })
    noteHistory()
  }
  return {
    notifyChanged,
    detectForeignCommits: () => {
      if (readRev(store) !== rev) notifyChanged(['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status'])
    }
  }
}

/** Only a hook has no parts, and it needs none. */
function required<T>(part: T | null): T {
  if (part === null) throw new Error('not available in a hook: it does not watch, copy or sweep')
  return part
}
