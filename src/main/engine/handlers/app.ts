/** What the app itself is, and settings. */
import type { Handlers } from './table.ts'

export const APP: Handlers<'app.info' | 'settings.get' | 'settings.set'> = {
  'app.info': ({ options, home }) => ({
    version: options.version,
    platform: process.platform,
    host: options.host,
    pid: process.pid,
    dataDir: options.dataDir,
    home
  }),
  'settings.get': ({ registry }) => ({ values: registry.settings() }),
  'settings.set': ({ registry }, { key, value }) => {
    registry.setSetting(key, value)
    return {}
  }
}
