/** Opens the internals of the engine, for tests that stop a restore at a named point. */
import { join } from 'node:path'
import { createAgentSessions } from '../../src/main/engine/agents/agent-sessions.ts'
import { startSnapshotProcess } from '../../src/main/engine/capture/snapshot-process.ts'
import { type Clock, systemClock } from '../../src/main/engine/ports/clock.ts'
import { performRestore, type RestoreOptions } from '../../src/main/engine/restore/perform.ts'
import { DEFAULT_LIMITS } from '../../src/main/engine/retention/limits.ts'
import { createMaintenance } from '../../src/main/engine/retention/maintenance.ts'
import { sweep } from '../../src/main/engine/retention/sweep.ts'
import { measure } from '../../src/main/engine/retention/usage.ts'
import { watchFolder } from '../../src/main/engine/watch/watcher.ts'
import { openWorkspace } from '../../src/main/engine/workspaces/open-workspace.ts'
import { createRegistry } from '../../src/main/engine/workspaces/registry.ts'
import type { OpenWorkspace } from '../../src/main/engine/workspaces/workspace.ts'
import { INGEST_PROGRAM } from './recorded-folder.ts'

export interface OpenRecorder extends AsyncDisposable {
  readonly recorder: OpenWorkspace
  restore(options: Partial<RestoreOptions> & Pick<RestoreOptions, 'request'>): ReturnType<typeof performRestore>
}

/** Opens one recorded folder as a host does, but without the contract. */
export function openRecorder(dataDir: string, workspace: string, clock: Clock = systemClock): OpenRecorder {
  const registry = createRegistry(dataDir, (record, boundaries) =>
    openWorkspace({
      workspace: record,
      dataDir,
      home: join(dataDir, '..', 'home'),
      clock,
      watching: () => 'off',
      createAgentSessions,
      watchFolder,
      startSnapshot: startSnapshotProcess,
      ingestProgram: INGEST_PROGRAM,
      setting: () => null,
      boundaries,
      retention: { limits: () => DEFAULT_LIMITS, sweep, measure, createMaintenance },
      onChanged: () => {},
      onSnapshotProgress: () => {},
      onError: (error) => {
        throw error
      }
    })
  )
  const recorder = registry.open(workspace)
  return {
    recorder,
    restore: (options) =>
      performRestore(recorder, { resolutions: {}, whileLive: false, progress: () => {}, ...options }),
    [Symbol.asyncDispose]: () => registry.close()
  }
}
