/** The tray: how recording stands, the folders, pause, and the way out. */
import { join } from 'node:path'
import { app, Menu, type MenuItemConstructorOptions, Tray } from 'electron'
import type { Client } from '../../contract/api.ts'
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'
import { PROGRAMS } from '../programs.ts'
import { onChange } from './on-change.ts'
import { type TrayLook, trayLook } from './tray-look.ts'

export interface TrayActs {
  /** Brings the window, on a workspace or as it was (""). */
  show(workspace: string): void
  pause(paused: boolean): void
}

const ICONS = { recording: 'tray', attention: 'tray-attention', 'not-protected': 'tray-off' } as const
/** Folders listed in the menu. */
const LISTED = 6

/** Puts Driftline into the tray and keeps it true. A desktop without a tray shows nothing; a second start still brings the window. */
export function installTray(client: Client, acts: TrayActs): void {
  const tray = new Tray(iconOf('not-protected'))
  tray.on('click', () => acts.show(''))
  onChange(client, (workspaces, state) => {
    const look = trayLook(state, workspaces)
    tray.setImage(iconOf(look.state))
    tray.setToolTip(`Driftline: ${look.text}`)
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(look, workspaces, state, acts)))
  })
}

function iconOf(state: TrayLook['state']): string {
  // macOS tints a template image itself; it has one for every state, the words tell them apart.
  return join(PROGRAMS.icons, `${process.platform === 'darwin' ? 'trayTemplate' : ICONS[state]}.png`)
}

function trayMenu(
  look: TrayLook,
  workspaces: readonly WorkspaceSummary[],
  { watching }: HostState,
  acts: TrayActs
): MenuItemConstructorOptions[] {
  const folders = workspaces
    .slice(0, LISTED)
    .map(({ id, name }): MenuItemConstructorOptions => ({ label: name, click: () => acts.show(id) }))
  return [
    { label: look.text, enabled: false },
    { type: 'separator' },
    ...folders,
    ...(folders.length > 0 ? [{ type: 'separator' as const }] : []),
    { label: 'Open Driftline', click: () => acts.show('') },
    watching === 'on'
      ? { label: 'Pause recording', click: () => acts.pause(true) }
      : { label: 'Go on recording', click: () => acts.pause(false) },
    { type: 'separator' },
    { label: 'Quit Driftline', click: () => app.quit() }
  ]
}
