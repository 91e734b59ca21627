/** Records a tree with the built command line and opens the measured parts of the engine on its store. */
import { join, resolve } from 'node:path'
import { createIgnoreRules } from '../src/main/engine/capture/ignore-rules.ts'
import type { RecordingContext } from '../src/main/engine/capture/reconcile.ts'
import { createEngine, type Engine } from '../src/main/engine/engine.ts'
import { ownProcess } from '../src/main/engine/ports/processes.ts'
import { openStore, type Store } from '../src/main/engine/store/open-store.ts'
import { storeFile } from '../src/main/engine/workspaces/store-file.ts'
import type { Setting } from './figure.ts'
import { timed } from './timed.ts'

const OUT = resolve(import.meta.dirname, '../out/main')
export const CLI = join(OUT, 'cli.cjs')
/** The launcher that users run. */
export const LAUNCHER = resolve(import.meta.dirname, '../bin/driftline')
export const SERVE = join(OUT, 'serve.js')

/** Records `tree` in a new data folder and returns that folder. */
export async function record(setting: Pick<Setting, 'folder'>, tree: string): Promise<string> {
  const data = join(setting.folder('data'), 'driftline')
  await timed(process.execPath, [CLI, 'add', tree, '--data', data])
  return data
}

/** Opens the engine in this process. The caller must close it. */
export function openEngine(dataDir: string, watch: boolean): Promise<Engine> {
  return createEngine({
    dataDir,
    host: 'cli',
    watch,
    programs: { ingest: join(OUT, 'ingest-child.js'), fileHelper: join(OUT, 'file-helper.cjs') }
  })
}

export async function workspaceOf(engine: Engine): Promise<string> {
  const { workspaces } = await engine.call('workspaces.list', {})
  return (workspaces[0] as { id: string }).id
}

/** Records the changes of `work` as one run and returns its id. */
export async function recordRun(engine: Engine, workspace: string, title: string, work: () => void): Promise<string> {
  const { pid, start } = ownProcess()
  const { run } = await engine.call('run.begin', { workspace, title, agent: 'bench', pid, pidStart: start })
  work()
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  return run
}

/** Opens store and recording parts without an engine. The caller must close the store. */
export async function openRecording(
  dataDir: string,
  tree: string
): Promise<RecordingContext & { readonly store: Store }> {
  const engine = await openEngine(dataDir, false)
  const workspace = await workspaceOf(engine)
  await engine.close()
  return {
    root: tree,
    store: openStore(storeFile(dataDir, workspace)),
    rules: createIgnoreRules(tree),
    boundaries: new Set(),
    now: Date.now
  }
}
