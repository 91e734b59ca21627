/** What the app itself is, and settings. */
import type { HostState } from '../../../contract/domain.ts'
import type { EngineContext } from '../engine.ts'
import { checkBound } from '../retention/bounds.ts'
import type { Handlers } from './table.ts'

export const APP: Handlers<'app.info' | 'host.state' | 'host.watch' | 'settings.get' | 'settings.set'> = {
  'app.info': ({ options, home }) => ({
    version: options.version,
    platform: process.platform,
    host: options.host,
    pid: process.pid,
    dataDir: options.dataDir,
    home
  }),
  'host.state': hostState,
  'host.watch': async (context, { on }) => {
    context.watching.set(on ? 'on' : 'paused')
    for (const open of context.registry.opened()) await open.setWatching(context.watching.now())
    context.emit('workspaces.changed', {})
    return hostState(context)
  },
  'settings.get': ({ registry }) => ({ values: registry.settings() }),
  'settings.set': ({ registry, emit }, { key, value }) => {
    checkBound(key, value)
    registry.setSetting(key, value)
    emit('settings.changed', { key, value })
    return {}
  }
}

function hostState({ watching, options }: EngineContext): HostState {
  return { watching: watching.now(), lastEnd: options.lastEnd ?? 'clean' }
}
