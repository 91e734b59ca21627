/** The app itself: its version and host, watching on or off, and settings. */
import { DriftlineError } from '../../../contract/errors.ts'
import { PROTOCOL } from '../../../contract/protocol.ts'
import { accepts, settingOf } from '../../../contract/settings.ts'
import { refusedValueText } from '../../../contract/words/settings.ts'
import type { HostState } from '../../../contract/workspace.ts'
import { VERSION } from '../../version.ts'
import { ownCommand } from '../agents/connect/own-command.ts'
import { checkIncludedFolders, isCaptureSetting, readCaptureSettings } from '../capture/capture-settings.ts'
import type { EngineContext } from '../context.ts'
import { captureNewlyCovered } from '../drift/check.ts'
import { setLogLevel } from '../ports/log.ts'
import { copyHistories } from '../workspaces/copy-histories.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import { connectContextOf } from './agents.ts'
import type { Handlers } from './handler.ts'

export const APP: Handlers<
  | 'app.info'
  | 'app.resume'
  | 'app.command'
  | 'host.state'
  | 'host.watch'
  | 'history.copy'
  | 'recorder.stop'
  | 'settings.get'
  | 'settings.set'
> = {
  'app.info': ({ options, home, clock }) => ({
    version: VERSION,
    protocol: PROTOCOL,
    platform: process.platform,
    host: options.host,
    pid: process.pid,
    dataDir: options.dataDir,
    home,
    now: clock.now(),
    utcOffset: -new Date(clock.now()).getTimezoneOffset()
  }),
  'app.resume': ({ backlog }, { stream, after }) => backlog.after(stream, after),
  'app.command': (context) => ({ command: ownCommand(connectContextOf(context)) }),
  'host.state': hostState,
  'host.watch': async (context, { on }) => {
    context.watching.set(on ? 'on' : 'paused')
    for (const open of context.registry.opened()) await open.setWatching(context.watching.now())
    context.emit('workspaces.changed', {})
    return hostState(context)
  },
  'history.copy': ({ registry, options, clock }) => copyHistories(registry, options.dataDir, clock.now()),
  'recorder.stop': ({ options }, { why }) => {
    if (options.host === 'electron')
      throw new DriftlineError('Refused', 'The desktop app is the recorder. Nothing was stopped. Quit the app instead.')
    // The answer is sent first.
    setImmediate(() => options.requestStop?.(why))
    return {}
  },
  'settings.get': ({ registry }) => ({ values: registry.settings() }),
  'settings.set': async ({ registry, emit }, { key, value }) => {
    const setting = settingOf(key)
    if (setting !== null && !accepts(setting, value))
      throw new DriftlineError('Usage', refusedValueText(setting, value), { key, value })
    checkIncludedFolders(key, value)
    const includedFolders = (open: OpenWorkspace): readonly string[] =>
      readCaptureSettings(registry.setting, open.workspace.id).include
    const affected = registry.opened().filter((open) => isCaptureSetting(key, open.workspace.id))
    const before = new Map(affected.map((open) => [open, includedFolders(open)]))
    registry.setSetting(key, value)
    if (key === 'log.level') setLogLevel(value)
    // Folders that the change includes are recorded at once, and not only when something in them changes.
    const captured = affected.map((open) => {
      const added = includedFolders(open).filter((folder) => !before.get(open)?.includes(folder))
      return open.lock.run(() => {
        // Inside the lock: a check that runs would find those files as changes.
        open.coverageChanged()
        return captureNewlyCovered(open, added)
      })
    })
    await Promise.all(captured)
    emit('settings.changed', { key, value })
    return {}
  }
}

export function hostState({ watching, options, registry, backup }: EngineContext): HostState {
  const rebuiltList = registry.rebuiltList()
  const backupState = backup?.state()
  return {
    watching: watching.now(),
    lastEnd: options.lastEnd ?? 'clean',
    ...(rebuiltList && { rebuiltList }),
    ...(backupState && { backup: backupState })
  }
}
