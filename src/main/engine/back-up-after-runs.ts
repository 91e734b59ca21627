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
  events.on('run.ended', () => backup.request())
  // A new repository is tried at once.
  events.on('settings.changed', ({ key }) => {
    if (key.startsWith('backup.')) backup.request()
  })
  const live = new Map<string, ReadonlySet<string>>()
  events.on('workspace.changed', ({ workspace, kinds }) => {
    const open = kinds.includes('runs') ? registry.opened().find((each) => each.workspace.id === workspace) : undefined
    if (!open) return
    const now = new Set(liveRuns(open.store).map(({ id }) => id))
    if ([...(live.get(workspace) ?? [])].some((run) => !now.has(run))) backup.request()
    live.set(workspace, now)
  })
  return backup
}
