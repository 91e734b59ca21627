/** Starting with the session: the system's own list on macOS and Windows, an autostart file where desktops read those. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import type { Client } from '../../contract/api.ts'
import { KEYS, readDesktopSettings } from './desktop-settings.ts'

/** Starts without a window. */
const IN_BACKGROUND = '--background'

/** Follows the setting. The system's list may have lost it (a new version, a moved AppImage): what was asked for is said again. */
export function keepLoginItem(client: Client): void {
  client.on('settings.changed', ({ key, value }) => {
    if (key === KEYS.login) setLoginItem(value === 'yes')
  })
  readDesktopSettings(client)
    .then(({ login }) => {
      if (login) setLoginItem(true)
    })
    .catch((error: unknown) => console.error(error))
}

function setLoginItem(on: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: on, args: [IN_BACKGROUND] })
    return
  }
  const file = autostartFile(process.env, homedir())
  if (!on) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  // An AppImage is mounted elsewhere at every start; its own path is what stays.
  const program = [process.env.APPIMAGE ?? process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()])]
  writeFileSync(file, autostartEntry([...program, IN_BACKGROUND]))
}

export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'driftline.desktop')
}

/** Text of the file; words are quoted as the Desktop Entry Specification asks. */
export function autostartEntry(command: readonly string[]): string {
  const exec = command.map((word) => `"${word.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`).join(' ')
  return `[Desktop Entry]
Type=Application
Name=Driftline
Comment=Records changes in your project folders
Exec=${exec.replaceAll('\\', '\\\\')}
Terminal=false
X-GNOME-Autostart-enabled=true
`
}
