/** Tells a person who is looking elsewhere that a run has ended. */
import { BrowserWindow, Notification } from 'electron'
import type { Client } from '../../contract/api.ts'
import { readDesktopSettings } from './desktop-settings.ts'

/** Shows a notification for each run that ends while no window has the focus; a click on it calls `show`. */
export function notifyOfRuns(client: Client, show: (workspace: string) => void): void {
  client.on('run.ended', ({ workspace, title, files }) => {
    if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return
    tell(client, workspace, title, files, show).catch((error: unknown) => console.error(error))
  })
}

/** Quiet hours are the system's: it holds back what it is shown then. */
async function tell(
  client: Client,
  workspace: string,
  title: string,
  files: number,
  show: (workspace: string) => void
): Promise<void> {
  const [{ notifications }, name] = await Promise.all([readDesktopSettings(client), nameOf(client, workspace)])
  if (!notifications || BrowserWindow.getFocusedWindow()) return
  const notification = new Notification({ title: endedText(files, name), body: title })
  notification.on('click', () => show(workspace))
  notification.show()
}

/** What changed and where, such as "7 files changed in shop-api". */
export function endedText(files: number, name: string): string {
  return `${files === 0 ? 'No files' : files === 1 ? '1 file' : `${files} files`} changed in ${name}`
}

async function nameOf(client: Client, workspace: string): Promise<string> {
  try {
    const { workspaces } = await client.call('workspaces.list', {})
    return workspaces.find(({ id }) => id === workspace)?.name ?? 'a folder'
  } catch {
    // Expected: Disconnected, when the recorder was just started again. The run ended all the same.
    return 'a folder'
  }
}
