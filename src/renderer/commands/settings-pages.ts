/** The settings pages; commands, the palette and links open them by id. */
import type { IconName } from '../ui/icon.tsx'

export const SETTINGS_PAGES = [
  { id: 'general', title: 'General', icon: 'sliders' },
  { id: 'agents', title: 'Agents', icon: 'plug' },
  { id: 'hosts', title: 'Hosts', icon: 'link' },
  { id: 'capture', title: 'Capture', icon: 'record' },
  { id: 'storage', title: 'Storage', icon: 'db' },
  { id: 'appearance', title: 'Appearance', icon: 'appearance' },
  { id: 'keyboard', title: 'Keyboard', icon: 'keyboard' },
  { id: 'privacy', title: 'Privacy', icon: 'lock' },
  { id: 'about', title: 'About', icon: 'info' }
] as const satisfies readonly { readonly id: string; readonly title: string; readonly icon: IconName }[]

export type SettingsPage = (typeof SETTINGS_PAGES)[number]['id']

/** A settings page; on the agents page also the agent to connect. */
export interface SettingsPlace {
  readonly page: SettingsPage
  readonly agent?: string | undefined
}
