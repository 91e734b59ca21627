/** Links of the form driftline://open?folder=… show a recorded folder. Any web page can create one, so a new folder needs confirmation. */
import { isAbsolute } from 'node:path'
import { app, dialog } from 'electron'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'

export const SCHEME = 'driftline'

/** The folder of a valid driftline: link, else null. */
export function folderOfLink(text: string): string | null {
  if (!text.startsWith(`${SCHEME}:`) || !URL.canParse(text)) return null
  const { hostname, searchParams } = new URL(text)
  const folder = searchParams.get('folder')
  if (hostname !== 'open' || !folder || !isAbsolute(folder) || folder.includes('\0')) return null
  return folder
}

/** Registers the link scheme with the system. Not in a checkout, because the registration would outlive it. */
export function registerLinkScheme(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME)
}

/** Returns the id of the folder's workspace; null when the user declines to record a new folder. */
export async function openLinkedFolder(client: Client, folder: string): Promise<string | null> {
  try {
    const { workspace } = await client.call('workspaces.find', { folder })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
  }
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Record this folder?',
    detail: `A link asks Driftline to record\n${folder}\n\nDriftline will store copies of its files in your data folder. If you did not expect this, cancel.`,
    buttons: ['Cancel', 'Record folder'],
    defaultId: 0,
    cancelId: 0
  })
  if (response !== 1) return null
  try {
    const { workspace } = await client.call('workspaces.add', { folder, wait: false })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
    dialog.showErrorBox('Couldn’t record the folder', error.message)
    return null
  }
}
