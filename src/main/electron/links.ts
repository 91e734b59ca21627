/** driftline://open?folder=… : shows a recorded folder; one that is not recorded is asked about before anything is registered. */
import { isAbsolute } from 'node:path'
import { app, dialog } from 'electron'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'

export const SCHEME = 'driftline'

/** The folder a link names, or null when it is none of ours. */
export function folderOfLink(text: string): string | null {
  if (!text.startsWith(`${SCHEME}:`) || !URL.canParse(text)) return null
  const { hostname, searchParams } = new URL(text)
  const folder = searchParams.get('folder')
  if (hostname !== 'open' || !folder || !isAbsolute(folder) || folder.includes('\0')) return null
  return folder
}

/** Links open Driftline from now on. Only an installed app claims them: a checkout would claim them for good. */
export function claimLinks(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME)
}

/** Id of the folder's workspace, or null when the person would rather not. Any web page can make such a link. */
export async function followLink(client: Client, folder: string): Promise<string | null> {
  try {
    const { workspace } = await client.call('workspaces.find', { folder })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
  }
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Record this folder?',
    detail: `A link asks Driftline to record\n${folder}\n\nCopies of its files would be kept in your data folder. If you did not expect this, cancel.`,
    buttons: ['Cancel', 'Record it'],
    defaultId: 0,
    cancelId: 0
  })
  if (response !== 1) return null
  try {
    const { workspace } = await client.call('workspaces.add', { folder, wait: false })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
    dialog.showErrorBox('That folder cannot be recorded', error.message)
    return null
  }
}
