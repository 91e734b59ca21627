/** Opens the internals of the engine, for tests that stop a restore at a named point. */
import { join } from 'node:path'
import type { Resolutions, RestoreRequest } from '../../src/contract/restore.ts'
import { type Clock, systemClock } from '../../src/main/engine/ports/clock.ts'
import type { ApplyPoint } from '../../src/main/engine/restore/apply-state.ts'
import { performRestore, type RestoreOptions } from '../../src/main/engine/restore/perform.ts'
import { openWorkspace } from '../../src/main/engine/workspaces/open-workspace.ts'
import { createRegistry } from '../../src/main/engine/workspaces/registry.ts'
import type { OpenWorkspace } from '../../src/main/engine/workspaces/workspace.ts'
import { INGEST_PROGRAM } from './programs.ts'

export interface OpenRecorder extends AsyncDisposable {
  readonly recorder: OpenWorkspace
  restore(options: Partial<RestoreOptions> & Pick<RestoreOptions, 'request'>): ReturnType<typeof performRestore>
}

/** Opens one recorded folder as a host does, but without the contract. */
export function openRecorder(dataDir: string, workspace: string, clock: Clock = systemClock): OpenRecorder {
  const registry = createRegistry(dataDir, (opening) =>
    openWorkspace({
      ...opening,
      dataDir,
      home: join(dataDir, '..', 'home'),
      clock,
      watching: 'off',
      ingestProgram: INGEST_PROGRAM,
      emit: () => {},
      onGitChange: () => {},
      filesOfWorktree: async () => [],
      revive: () => null
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

/**
 * Begins a restore and stops it at a point after its first write: what a process that ends there leaves behind, at a tenth of
 * its price. A process that is killed also leaves what is not journalled yet: see crash-process.ts.
 */
export async function cutOffRestore(
  { dataDir, workspace }: { readonly dataDir: string; readonly workspace: string },
  request: RestoreRequest,
  at: ApplyPoint,
  resolutions: Resolutions = {}
): Promise<void> {
  await using open = openRecorder(dataDir, workspace)
  const cut = new Error('cut off')
  const ended = await open
    .restore({
      request,
      resolutions,
      point: (point) => {
        if (point === at) throw cut
      }
    })
    .catch((error: unknown) => error)
  if (ended !== cut) throw new Error(`the restore was not cut off at ${at}`, { cause: ended })
}
