/** The tray icon: recording status, folders, pause and quit. */
import { join } from 'node:path'
import { app, Menu, type MenuItemConstructorOptions, Tray } from 'electron'
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'
import { PROGRAMS } from '../programs.ts'

interface TrayActions {
  /** Shows the window with a workspace; "" leaves its content unchanged. */
  show(workspace: string): void
  setPaused(paused: boolean): void
}

const ICONS = { recording: 'tray', attention: 'tray-attention', 'not-protected': 'tray-off' } as const
/** Number of folders in the menu. */
const LISTED = 6

/**
 * Creates the tray icon; returns how to update it. On a desktop without a tray it is invisible; a second start of the
 * app still shows the window.
 */
export function installTray(actions: TrayActions) {
  const tray = new Tray(iconOf('not-protected'))
  tray.on('click', () => actions.show(''))
  return (workspaces: readonly WorkspaceSummary[], state: HostState): void => {
    const status = trayStatus(state, workspaces)
    tray.setImage(iconOf(status.state))
    tray.setToolTip(`Driftline: ${status.text}`)
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(status, workspaces, state, actions)))
  }
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
      ? { label: 'Pause recording', click: () => actions.setPaused(true) }
      : { label: 'Resume recording', click: () => actions.setPaused(false) },
    { type: 'separator' },
    { label: 'Quit Driftline', click: () => app.quit() }
  ]
}

interface TrayStatus {
  readonly state: 'recording' | 'attention' | 'not-protected'
  /** One line, for the menu and the tooltip. */
  readonly text: string
}

/** Reports the most serious problem; the order of the checks is the order of severity. */
export function trayStatus({ watching }: HostState, workspaces: readonly WorkspaceSummary[]): TrayStatus {
  if (watching === 'paused') return { state: 'not-protected', text: 'Recording is paused' }
  if (watching === 'safe-mode') return { state: 'not-protected', text: 'Safe mode: folders are not watched' }
  if (workspaces.length === 0) return { state: 'not-protected', text: 'No recorded folders yet' }
  const missing = workspaces.filter((workspace) => workspace.folder === 'missing')
  if (missing.length > 0) return { state: 'attention', text: `${subject(missing, 'is', 'are')} missing` }
  const partial = workspaces.filter((workspace) => workspace.coverage === 'partial')
  if (partial.length > 0) return { state: 'not-protected', text: `${subject(partial, 'is', 'are')} partly protected` }
  const drifted = workspaces.filter((workspace) => workspace.openDrift > 0)
  if (drifted.length > 0) return { state: 'attention', text: `${subject(drifted, 'has', 'have')} outside changes` }
  return { state: 'recording', text: `Recording ${subject(workspaces)}` }
}

function subject(workspaces: readonly WorkspaceSummary[], singular = '', plural = ''): string {
  const [first, ...more] = workspaces
  return (more.length === 0 ? `${first?.name} ${singular}` : `${workspaces.length} folders ${plural}`).trimEnd()
}
