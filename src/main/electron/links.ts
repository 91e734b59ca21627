/**
 * What the system asks the app to open. Links of the form driftline://open?folder=… show a recorded folder. Any web
 * page can create one, so a new folder needs confirmation.
 */
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

/** A folder, or the folder of a link, to show. Without either: just the window. */
export interface OpenRequest {
  readonly folder: string | undefined
  readonly link: string | null
}

/**
 * Listens for requests of the system to open a folder or a link: a second start, whose command line `parse` reads, a
 * file dropped on the icon, a link, a click in the dock. Must run before `ready`: macOS reports the folder the app was
 * started with before that event. Returns how to get the requests so far and all later ones.
 */
export function openRequests(parse: (argv: readonly string[], cwd: string) => OpenRequest) {
  const queued: OpenRequest[] = []
  // The window opens anyway, so only requests with a folder or a link have to be queued.
  let open = (request: OpenRequest): void => {
    if (request.folder !== undefined || request.link !== null) queued.push(request)
  }

  app.on('second-instance', (_event, argv, cwd, extra) => {
    // The second process resolves its folder itself: Electron may reorder `argv` and append arguments to it.
    const resolved = (extra as { folder?: unknown } | null)?.folder
    const { folder, link } = parse(argv.slice(1), cwd)
    open({ folder: typeof resolved === 'string' && resolved ? resolved : folder, link })
  })
  // A folder dropped on the dock icon, or opened with "Open with".
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open({ folder: path, link: null })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const link = folderOfLink(url)
    if (link !== null) open({ folder: undefined, link })
  })
  app.on('activate', () => open({ folder: undefined, link: null }))

  return (next: (request: OpenRequest) => void): void => {
    open = next
    for (const request of queued.splice(0)) next(request)
  }
}
