/** What the app itself is, and settings. */
import type { HostState } from '../../../contract/workspace.ts'
import { VERSION } from '../../version.ts'
import { checkChoice, choicesOf, isChoice } from '../capture/choices.ts'
import type { EngineContext } from '../context.ts'
import { keepChosen } from '../drift/keep-chosen.ts'
import { checkLimit } from '../retention/limits.ts'
import type { Handlers } from './handler.ts'

export const APP: Handlers<'app.info' | 'host.state' | 'host.watch' | 'settings.get' | 'settings.set'> = {
  'app.info': ({ options, home }) => ({
    version: VERSION,
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
  'settings.set': async ({ registry, emit }, { key, value }) => {
    checkLimit(key, value)
    checkChoice(key, value)
    const chosen = registry.opened().filter((open) => isChoice(key, open.workspace.id))
    const before = new Map(chosen.map((open) => [open, choicesOf(registry.setting, open.workspace.id).include]))
    registry.setSetting(key, value)
    for (const open of chosen) {
      open.chooseCapture()
      const { include } = choicesOf(registry.setting, open.workspace.id)
      const added = include.filter((folder) => !before.get(open)?.includes(folder))
      await open.lock.run(() => keepChosen(open, added))
    }
    emit('settings.changed', { key, value })
    return {}
  }
}

function hostState({ watching, options }: EngineContext): HostState {
  return { watching: watching.now(), lastEnd: options.lastEnd ?? 'clean' }
}
