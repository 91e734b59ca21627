/** The desktop settings. They are stored with the engine's other settings and read each time they are needed. */
import type { Client } from '../../contract/api.ts'

interface DesktopSettings {
  /** Action when the last window is closed. */
  readonly background: 'ask' | 'keep' | 'quit'
  readonly login: boolean
  readonly notifications: boolean
}

export const KEYS = {
  background: 'desktop.background',
  login: 'desktop.login',
  notifications: 'desktop.notifications'
} as const

export async function readDesktopSettings(client: Client): Promise<DesktopSettings> {
  const { values } = await client.call('settings.get', {})
  const background = values[KEYS.background]
  return {
    background: background === 'keep' || background === 'quit' ? background : 'ask',
    login: values[KEYS.login] === 'yes',
    notifications: values[KEYS.notifications] !== 'no'
  }
}
