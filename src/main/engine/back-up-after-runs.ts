/** Automatic backups: when the engine's events ask for one, and what one needs of the engine. */
import { SETTINGS, type SettingKey } from '../../contract/settings.ts'
import type { EngineContext } from './context.ts'
import type { EventEmitter } from './event-emitter.ts'
import { connectContextOf } from './handlers/agents.ts'
import { blockingRestore } from './store/restores.ts'
import { liveRuns } from './store/runs.ts'
import { type AutomaticBackup, createAutomaticBackup } from './workspaces/automatic-backup.ts'
import { runBackup } from './workspaces/backup-process.ts'

/** [BK-3] Also after runs whose process died, which no event names: they are no longer among the live ones. */
export function backUpAfterRuns(context: EngineContext, events: Pick<EventEmitter, 'on'>): AutomaticBackup {
  const { registry, clock, emit, options } = context
  const setting = (key: SettingKey): string => registry.setting(key) || SETTINGS[key].initial
  const backup = createAutomaticBackup({
    clock,
    setting,
    readStored: registry.setting,
    store: registry.setSetting,
    isRestoreOpen: () => registry.opened().some(({ store }) => blockingRestore(store) !== null),
    backUp: (repository) => {
      const { cli } = connectContextOf(context)
      return runBackup({ cli, dataDir: options.dataDir, repository })
    },
    onChanged: () => {
      emit('workspaces.changed', {})
      for (const open of registry.opened()) open.notifyChanged(['status'])
    }
  })
  const ends = createRunEnds(backup.request)
  events.on('run.ended', ({ run }) => ends.ended(run))
  // A new repository is tried at once.
  events.on('settings.changed', ({ key }) => {
    if (key.startsWith('backup.')) backup.request()
  })
  events.on('workspace.changed', ({ workspace, kinds }) => {
    const open = kinds.includes('runs') ? registry.opened().find((each) => each.workspace.id === workspace) : undefined
    if (open) ends.live(workspace, new Set(liveRuns(open.store).map(({ id }) => id)))
  })
  return backup
}

/**
 * Calls `onEnd` once for each end of a run, which two events may report, the second one at any later time: a backup without
 * delay has begun by then, and another one would follow it.
 */
export function createRunEnds(onEnd: () => void) {
  const liveOf = new Map<string, ReadonlySet<string>>()
  const reported = new Set<string>()
  const ended = (run: string): void => {
    if (reported.has(run)) return
    reported.add(run)
    onEnd()
  }
  return {
    ended,
    /** `runs`: those of a workspace that are live now. */
    live: (workspace: string, runs: ReadonlySet<string>): void => {
      for (const run of runs) reported.delete(run)
      for (const run of liveOf.get(workspace) ?? []) if (!runs.has(run)) ended(run)
      liveOf.set(workspace, runs)
    }
  }
}
