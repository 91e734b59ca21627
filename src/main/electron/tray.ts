/** The tray icon: recording status, folders, pause and quit. */
import { join } from 'node:path'
import { app, Menu, type MenuItemConstructorOptions, Tray } from 'electron'
import type { Client } from '../../contract/api.ts'
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'
import { PROGRAMS } from '../programs.ts'
import { onWorkspacesChange } from './on-change.ts'
import { type TrayStatus, trayStatus } from './tray-status.ts'

export interface TrayActions {
  /** Shows the window with a workspace; "" leaves its content unchanged. */
  show(workspace: string): void
  pause(paused: boolean): void
}

const ICONS = { recording: 'tray', attention: 'tray-attention', 'not-protected': 'tray-off' } as const
/** Number of folders in the menu. */
const LISTED = 6

/** Creates the tray icon and keeps it up to date. On a desktop without a tray it is invisible; a second start of the app still shows the window. */
export function installTray(client: Client, actions: TrayActions): void {
  const tray = new Tray(iconOf('not-protected'))
  tray.on('click', () => actions.show(''))
  onWorkspacesChange(client, (workspaces, state) => {
    const status = trayStatus(state, workspaces)
    tray.setImage(iconOf(status.state))
    tray.setToolTip(`Driftline: ${status.text}`)
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(status, workspaces, state, actions)))
  })
}

function iconOf(state: TrayStatus['state']): string {
  // macOS tints template images itself, so all states share one icon and differ in their text.
  return join(PROGRAMS.icons, `${process.platform === 'darwin' ? 'trayTemplate' : ICONS[state]}.png`)
}

function trayMenu(
  status: TrayStatus,
  workspaces: readonly WorkspaceSummary[],
  { watching }: HostState,
  actions: TrayActions
): MenuItemConstructorOptions[] {
  const folders = workspaces
    .slice(0, LISTED)
    .map(({ id, name }): MenuItemConstructorOptions => ({ label: name, click: () => actions.show(id) }))
  return [
    { label: status.text, enabled: false },
    { type: 'separator' },
    ...folders,
    ...(folders.length > 0 ? [{ type: 'separator' as const }] : []),
    { label: 'Open Driftline', click: () => actions.show('') },
    watching === 'on'
      ? { label: 'Pause recording', click: () => actions.pause(true) }
      : { label: 'Resume recording', click: () => actions.pause(false) },
    { type: 'separator' },
    { label: 'Quit Driftline', click: () => app.quit() }
  ]
}
