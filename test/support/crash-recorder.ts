/** The engine's inside, opened beside it: for tests that stop a restore at a named moment. */
import { join } from 'node:path'
import { startBaseline } from '../../src/main/engine/capture/baseline.ts'
import { type Clock, systemClock } from '../../src/main/engine/ports/clock.ts'
import { type PerformOptions, perform } from '../../src/main/engine/restore/perform.ts'
import { DEFAULT_BOUNDS } from '../../src/main/engine/retention/bounds.ts'
import { createKeeper } from '../../src/main/engine/retention/keeper.ts'
import { sweep } from '../../src/main/engine/retention/sweep.ts'
import { measure } from '../../src/main/engine/retention/usage.ts'
import { watchFolder } from '../../src/main/engine/watch/watcher.ts'
import { openWorkspace } from '../../src/main/engine/workspaces/open-workspace.ts'
import type { OpenWorkspace } from '../../src/main/engine/workspaces/recorder.ts'
import { createRegistry } from '../../src/main/engine/workspaces/registry.ts'
import { INGEST_PROGRAM } from './recorded.ts'

export interface OpenRecorder extends AsyncDisposable {
  readonly recorder: OpenWorkspace
  restore(options: Partial<PerformOptions> & Pick<PerformOptions, 'act'>): ReturnType<typeof perform>
}

/** Opens one recorded folder as a host process would, without the contract around it. */
export function openRecorder(dataDir: string, workspace: string, clock: Clock = systemClock): OpenRecorder {
  const registry = createRegistry(dataDir, (found, boundaries) =>
    openWorkspace({
      workspace: found,
      dataDir,
      home: join(dataDir, '..', 'home'),
      clock,
      watching: () => 'off',
      watchFolder,
      startCopy: startBaseline,
      ingestProgram: INGEST_PROGRAM,
      setting: () => null,
      boundaries,
      retention: { bounds: () => DEFAULT_BOUNDS, sweep, measure, createKeeper },
      onChanged: () => {},
      onCopy: () => {},
      onTrouble: (error) => {
        throw error
      }
    })
  )
  const recorder = registry.open(workspace)
  return {
    recorder,
    restore: (options) => perform(recorder, { choices: {}, whileLive: false, progress: () => {}, ...options }),
    [Symbol.asyncDispose]: () => registry.close()
  }
}
