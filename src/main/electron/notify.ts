/** Notifications for runs that end or are stopped while no window has the focus. */
import { BrowserWindow, Notification } from 'electron'
import type { Client, EngineEvents } from '../../contract/api.ts'
import { hostOf } from '../../contract/hosts.ts'
import { stoppedTitle } from '../../contract/words/brake.ts'
import { runEndedText } from '../../contract/words/events.ts'
import { log } from '../engine/ports/log.ts'
import { readDesktopSettings } from './desktop-settings.ts'

/** `titleIn`: of the notification, with the name of the folder. */
interface Notice extends Pick<EngineEvents['run.ended'], 'workspace' | 'title'> {
  titleIn(name: string): string
}

/** Shows a notification for each run that ends or is stopped without a focused window; a click on it calls `show`. */
export function notifyRunEnds(client: Client, show: (workspace: string) => void): void {
  const showUnseen = (notice: Notice): void => {
    if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return
    notify(client, notice, show).catch((error: unknown) => log.error('a notification could not be shown', error))
  }
  client.on('run.ended', ({ files, ...run }) => showUnseen({ ...run, titleIn: (name) => runEndedText(files, name) }))
  client.on('brake.stopped', (stopped) => showUnseen({ ...stopped, titleIn: (name) => stoppedTitle(stopped, name) }))
}

/** Do-not-disturb is left to the system. */
async function notify(
  client: Client,
  { workspace, title, titleIn }: Notice,
  show: (workspace: string) => void
): Promise<void> {
  const [{ notifications }, name] = await Promise.all([readDesktopSettings(client), nameOf(client, workspace)])
  if (!notifications || BrowserWindow.getFocusedWindow()) return
  const notification = new Notification({ title: titleIn(name), body: title })
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
