/** A recorded folder with a real engine and store. For speed, its initial snapshot is taken in this process. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Resolutions, RestorePlan, RestoreRequest, RestoreResult } from '../../src/contract/restore.ts'
import { createIgnoreRules } from '../../src/main/engine/capture/ignore-rules.ts'
import { takeInitialSnapshot } from '../../src/main/engine/capture/initial-snapshot.ts'
import { listFolders } from '../../src/main/engine/capture/listed-folders.ts'
import { readBatch } from '../../src/main/engine/capture/snapshot-batch.ts'
import { recordLeftOut } from '../../src/main/engine/capture/snapshot-names.ts'
import { createEngine, type Engine } from '../../src/main/engine/engine.ts'
import type { FreeBytes } from '../../src/main/engine/files/disk-space.ts'
import type { Clock } from '../../src/main/engine/ports/clock.ts'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import { measure } from '../../src/main/engine/retention/usage.ts'
import { bumpListRev, insertFolder, openAppStore } from '../../src/main/engine/store/app-store.ts'
import { newId } from '../../src/main/engine/store/ids.ts'
import { openStore, type Store } from '../../src/main/engine/store/open-store.ts'
import { transact } from '../../src/main/engine/store/sql.ts'
import { putFolderCard } from '../../src/main/engine/workspaces/folder-list.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import { putAppStore, putStore } from './empty-stores.ts'
import { INGEST_PROGRAM } from './programs.ts'
import { tempFolder } from './tmp.ts'
import { type Content, readTree, type Tree, writeFiles } from './tree.ts'

export interface RecordedFolder extends AsyncDisposable {
  readonly root: string
  readonly dataDir: string
  /** The home folder with agents' files; a test creates it if needed. */
  readonly home: string
  readonly workspace: string
  engine: Engine
  /** Records the changes of `work` as one run and returns its id. */
  run(title: string, work: () => unknown): Promise<string>
  /** Scans the folder and records outside edits. */
  check(): Promise<void>
  checkpoint(label?: string): Promise<string>
  plan(request: RestoreRequest, resolutions?: Resolutions): Promise<RestorePlan>
  apply(request: RestoreRequest, resolutions?: Resolutions): Promise<RestoreResult>
  tree(): Tree
  /** Reads the store on a connection of its own. */
  store<T>(read: (store: Store) => T): T
  /** Closes and reopens the engine, as in a restart; `overrides` apply until the next call. */
  reopen(overrides?: Pick<RecordedOptions, 'clock' | 'watch'>): Promise<void>
}

export interface RecordedOptions {
  readonly files?: Readonly<Record<string, Content>>
  /** The parent of the folder `project`; a temporary folder by default. */
  readonly place?: string
  /** The parent of the data folder; a temporary folder by default. */
  readonly dataPlace?: string
  /** Runs before the initial snapshot, to create what `files` cannot express. */
  readonly make?: (root: string) => void
  readonly watch?: boolean
  readonly clock?: Clock
  readonly freeBytes?: FreeBytes
}

export async function recordedFolder(options: RecordedOptions = {}): Promise<RecordedFolder> {
  const temp = tempFolder()
  const root = join(options.place ?? temp.path, 'project')
  const dataDir = join(options.dataPlace ?? temp.path, 'data')
  const home = join(temp.path, 'home')
  mkdirSync(root, { recursive: true })
  mkdirSync(dataDir)
  writeFiles(root, options.files ?? {})
  options.make?.(root)
  const workspace = await addFolder(root, dataDir)
  const open = ({ watch, clock, freeBytes }: RecordedOptions): Promise<Engine> =>
    createEngine({
      dataDir,
      home,
      host: 'cli',
      watch: watch ?? false,
      programs: { ingest: INGEST_PROGRAM },
      ...(clock ? { clock } : {}),
      ...(freeBytes ? { freeBytes } : {})
    })
  const self = ownProcess()
  const recorded: RecordedFolder = {
    root,
    dataDir,
    home,
    workspace,
    engine: await open(options),
    run: async (title, work) => {
      const { run } = await recorded.engine.call('run.begin', {
        workspace,
        title,
        agent: 'test',
        pid: self.pid,
        pidStart: self.start
      })
      await work()
      await recorded.engine.call('run.end', { workspace, run, exitCode: 0 })
      return run
    },
    check: async () => {
      await recorded.engine.call('drift.list', { workspace, check: true })
    },
    checkpoint: async (label = '') =>
      (await recorded.engine.call('checkpoint.create', { workspace, label })).checkpoint,
    plan: (request, resolutions = {}) => recorded.engine.call('restore.plan', { workspace, request, resolutions }),
    apply: (request, resolutions = {}) => recorded.engine.call('restore.apply', { workspace, request, resolutions }),
    tree: () => readTree(root),
    store: (read) => {
      const store = openStore(storeFile(dataDir, workspace))
      try {
        return read(store)
      } finally {
        store.close()
      }
    },
    reopen: async (overrides) => {
      await recorded.engine.close()
      recorded.engine = await open({ ...options, ...overrides })
    },
    [Symbol.asyncDispose]: async () => {
      await recorded.engine.close()
      temp[Symbol.dispose]()
    }
  }
  return recorded
}

/** Registers the first folder of a data folder and takes its initial snapshot, both as `add` does, without a child process. */
export async function addFolder(root: string, dataDir: string): Promise<string> {
  const folder = { id: newId('ws'), root, addedAt: Date.now() }
  const { id } = folder
  putStore(storeFile(dataDir, id))
  const store = openStore(storeFile(dataDir, id))
  putAppStore(join(dataDir, 'app.db'))
  const list = openAppStore(join(dataDir, 'app.db'))
  transact(list, (tx) => {
    insertFolder(tx, folder)
    bumpListRev(tx)
  })
  // Else the first engine would open the history once more to write it.
  putFolderCard(list, dataDir, folder, store)
  list.close()
  const rules = createIgnoreRules(root)
  await takeInitialSnapshot({
    root,
    store,
    rules,
    names: (function* () {
      const { leftOut } = yield* listFolders({ root, rules, boundaries: new Set() }, null)
      recordLeftOut(store, leftOut)
    })(),
    reader: { ahead: 1, read: async (jobs) => readBatch(root, jobs), release: () => {} },
    onProgress: () => {}
  })
  await measure(store, () => undefined)
  store.close()
  return id
}
