/** A recorded folder with a real engine and a real store, for tests; the first copy runs in this process to be quick. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Act, Choices, RestorePlan, RestoreResult } from '../../src/contract/restore.ts'
import { copyBatch } from '../../src/main/engine/capture/copy-batch.ts'
import { firstCopy } from '../../src/main/engine/capture/first-copy.ts'
import { createEngine, type Engine } from '../../src/main/engine/engine.ts'
import type { Clock } from '../../src/main/engine/ports/clock.ts'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import { measure } from '../../src/main/engine/retention/usage.ts'
import { openStore, type Store } from '../../src/main/engine/store/open-store.ts'
import type { FreeBytes } from '../../src/main/engine/workspaces/disk-space.ts'
import { createIgnoreRules } from '../../src/main/engine/workspaces/ignore-rules.ts'
import { storeFile } from '../../src/main/engine/workspaces/open-workspace.ts'
import { createRegistry } from '../../src/main/engine/workspaces/registry.ts'
import { tempFolder } from './tmp.ts'
import { type Content, readTree, type Tree, writeFiles } from './tree.ts'

export const INGEST_PROGRAM = join(import.meta.dirname, '../../src/main/ingest-child.ts')

export interface Recorded extends AsyncDisposable {
  readonly root: string
  readonly dataDir: string
  /** The home folder agents' files are looked for in; not there until a test makes it. */
  readonly home: string
  readonly workspace: string
  engine: Engine
  /** Records what `work` writes as one run; returns its id. */
  run(title: string, work: () => void): Promise<string>
  /** Compares the disk with the log. */
  check(): Promise<void>
  checkpoint(label?: string): Promise<string>
  plan(act: Act, choices?: Choices): Promise<RestorePlan>
  apply(act: Act, choices?: Choices): Promise<RestoreResult>
  tree(): Tree
  /** Reads the store beside the engine. */
  store<T>(read: (store: Store) => T): T
  /** Closes the engine and opens it anew, as after a restart; `otherwise` is what differs until the next time. */
  reopen(otherwise?: Pick<RecordedOptions, 'clock' | 'watch'>): Promise<void>
}

export interface RecordedOptions {
  readonly files?: Readonly<Record<string, Content>>
  /** Where `project` lies, or is to be made; else a temporary folder of its own. */
  readonly place?: string
  /** Does what plain files cannot, before the first copy. */
  readonly make?: (root: string) => void
  readonly watch?: boolean
  readonly clock?: Clock
  readonly freeBytes?: FreeBytes
}

export async function recordedFolder(options: RecordedOptions = {}): Promise<Recorded> {
  const temp = tempFolder()
  const root = join(options.place ?? temp.path, 'project')
  const dataDir = join(temp.path, 'data')
  const home = join(temp.path, 'home')
  mkdirSync(root, { recursive: true })
  mkdirSync(dataDir)
  writeFiles(root, options.files ?? {})
  options.make?.(root)
  const workspace = await prepare(root, dataDir)
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
  const me = ownProcess()
  const recorded: Recorded = {
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
        pid: me.pid,
        pidStart: me.start
      })
      work()
      await recorded.engine.call('run.end', { workspace, run, exitCode: 0 })
      return run
    },
    check: async () => {
      await recorded.engine.call('drift.list', { workspace, check: true })
    },
    checkpoint: async (label = '') =>
      (await recorded.engine.call('checkpoint.create', { workspace, label })).checkpoint,
    plan: (act, choices = {}) => recorded.engine.call('restore.plan', { workspace, act, choices }),
    apply: (act, choices = {}) => recorded.engine.call('restore.apply', { workspace, act, choices }),
    tree: () => readTree(root),
    store: (read) => {
      const store = openStore(storeFile(dataDir, workspace))
      try {
        return read(store)
      } finally {
        store.close()
      }
    },
    reopen: async (otherwise) => {
      await recorded.engine.close()
      recorded.engine = await open({ ...options, ...otherwise })
    },
    [Symbol.asyncDispose]: async () => {
      await recorded.engine.close()
      temp[Symbol.dispose]()
    }
  }
  return recorded
}

/** Registers the folder and takes its first copy without a child process. */
async function prepare(root: string, dataDir: string): Promise<string> {
  const registry = createRegistry(dataDir, () => {
    throw new Error('nothing is opened here')
  })
  const { id } = registry.register(root, Date.now())
  await registry.close()
  const store = openStore(storeFile(dataDir, id))
  await firstCopy({
    root,
    store,
    rules: createIgnoreRules(root),
    boundaries: new Set(),
    pool: { size: 1, run: async (jobs) => copyBatch(root, jobs, Date.now) },
    now: Date.now,
    onProgress: () => {}
  })
  await measure(store, () => undefined)
  store.close()
  return id
}
