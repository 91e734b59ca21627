/** Start at login: the system's login items on macOS and Windows, an XDG autostart file on Linux. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import type { Client } from '../../contract/api.ts'
import { log } from '../engine/ports/log.ts'
import { KEYS, readDesktopSettings } from './desktop-settings.ts'

/** The argument that starts the app without a window. macOS passes none. */
const IN_BACKGROUND = '--background'

/**
 * Applies the setting now and after each change. Now, because an update or a moved AppImage may have invalidated the
 * entry.
 */
export function syncLoginItem(client: Client): void {
  client.on('settings.changed', ({ key, value }) => {
    if (key === KEYS.login) setLoginItem(value === 'yes')
  })
  readDesktopSettings(client)
    .then(({ login }) => {
      if (login) setLoginItem(true)
    })
    .catch((error: unknown) => log.error('the login item could not be set', error))
}

/** Whether macOS started the app at login, where it has no argument that says so. */
export const isOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin

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
  // An AppImage is mounted at another path on each start; only the path of its own file is stable.
  const program = [process.env.APPIMAGE ?? process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()])]
  writeFileSync(file, autostartEntry([...program, IN_BACKGROUND]))
}

export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'driftline.desktop')
}

/** Content of the file. Arguments are quoted as the Desktop Entry Specification requires. */
export function autostartEntry(command: readonly string[]): string {
  const exec = command.map((argument) => `"${argument.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`).join(' ')
  return `[Desktop Entry]
Type=Application
Name=Driftline
Comment=Records changes in your project folders
Exec=${exec.replaceAll('\\', '\\\\')}
Terminal=false
X-GNOME-Autostart-enabled=true
`
}
