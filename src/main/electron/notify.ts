/** Notifications for runs that end while no window has the focus. */
import { BrowserWindow, Notification } from 'electron'
import type { Client, EngineEvents } from '../../contract/api.ts'
import { hostOf } from '../../contract/hosts.ts'
import { runEndedText } from '../../contract/words/events.ts'
import { log } from '../engine/ports/log.ts'
import { readDesktopSettings } from './desktop-settings.ts'

/** Shows a notification for each run that ends without a focused window; a click on it calls `show`. */
export function notifyRunEnds(client: Client, show: (workspace: string) => void): void {
  client.on('run.ended', (ended) => {
    if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return
    notify(client, ended, show).catch((error: unknown) => log.error('a notification could not be shown', error))
  })
}

/** Do-not-disturb is left to the system. */
async function notify(
  client: Client,
  { workspace, title, files }: EngineEvents['run.ended'],
  show: (workspace: string) => void
): Promise<void> {
  const [{ notifications }, name] = await Promise.all([readDesktopSettings(client), nameOf(client, workspace)])
  if (!notifications || BrowserWindow.getFocusedWindow()) return
  const notification = new Notification({ title: runEndedText(files, name), body: title })
  notification.on('click', () => show(workspace))
  notification.show()
}

async function nameOf(client: Client, workspace: string): Promise<string> {
  // The engine knows the folders of this computer alone.
  const host = hostOf(workspace)
  if (host !== null) return `a folder on ${host}`
  try {
    const { workspaces } = await client.call('workspaces.list', {})
    return workspaces.find(({ id }) => id === workspace)?.name ?? 'a folder'
  } catch {
    // Expected: Disconnected, when the engine was just restarted. The notification is still shown.
    return 'a folder'
  }
}
