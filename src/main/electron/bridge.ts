/** The host's end of the preload bridge: frames to and from the engine, and the functions that only Electron has. */
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, shell, type WebContents } from 'electron'
import { openChannel } from '../../contract/wire.ts'
import { CHANNELS } from '../../preload/channels.ts'
import { PROGRAMS } from '../programs.ts'
import type { Relay } from '../remote/relay.ts'
import { isOwnSender, pageUrlOfFragment } from './pages.ts'

/** Serves the pages of all windows; `openWindow` opens another one. Returns how to send a menu command to the focused window. */
export function connectPages(relay: Relay, openWindow: (url: string) => void): (command: string) => void {
  const pages = new Map<number, ReturnType<typeof connectPage>>()
  const end = (contents: WebContents): void => {
    pages.get(contents.id)?.end()
    pages.delete(contents.id)
  }

  ipcMain.on(CHANNELS.hello, (event, page: unknown) => {
    if (!isOwnSender(event) || typeof page !== 'string') return
    const { sender } = event
    // A reloaded page is a new client. Answers to calls of its predecessor are dropped.
    if (!pages.has(sender.id)) sender.once('destroyed', () => end(sender))
    pages.get(sender.id)?.end()
    pages.set(sender.id, connectPage(relay, sender, page))
  })
  ipcMain.on(CHANNELS.frame, (event, page: unknown, frame: unknown) => {
    const current = pages.get(event.sender.id)
    if (isOwnSender(event) && typeof frame === 'string' && current && current.page === page) current.deliver(frame)
  })

  ipcMain.on(CHANNELS.openWindow, (event, fragment: unknown) => {
    const url = pageUrlOfFragment(fragment)
    if (isOwnSender(event) && url !== null) openWindow(url)
  })
  ipcMain.on(CHANNELS.dragFiles, (event, paths: unknown) => {
    if (isOwnSender(event)) dragFiles(event.sender, paths)
  })

  handleInvoke(CHANNELS.chooseFolder, (_argument, event) => chooseFolder(event))
  handleInvoke(CHANNELS.reveal, async (path) => showInFolder(path))

  return (command) => {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
    const page = window && pages.get(window.webContents.id)?.page
    if (page !== undefined) window?.webContents.send(CHANNELS.command, page, command)
  }
}

/** `page`: the name that the page gave itself. A frame that is on its way while another page loads is not for that one. */
function connectPage(relay: Relay, contents: WebContents, page: string) {
  let ended = false
  const { channel, deliver } = openChannel((frame) => {
    if (!ended && !contents.isDestroyed()) contents.send(CHANNELS.frame, page, frame)
  })
  const disconnect = relay.connect(channel)
  return {
    page,
    deliver,
    end(): void {
      ended = true
      disconnect()
    }
  }
}

/** Handles invocations by our own pages; rejects all others. */
function handleInvoke(
  channel: string,
  reply: (argument: unknown, event: IpcMainInvokeEvent) => Promise<unknown>
): void {
  ipcMain.handle(channel, (event, argument: unknown) => {
    if (!isOwnSender(event)) throw new Error('Refused: this page is not part of Driftline.')
    return reply(argument, event)
  })
}

async function chooseFolder(event: IpcMainInvokeEvent): Promise<string | null> {
  const options = { title: 'Open a project folder', properties: ['openDirectory' as const] }
  const window = BrowserWindow.fromWebContents(event.sender)
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options))
  return canceled ? null : (filePaths[0] ?? null)
}

/** Continues the drag that a page began with the files that exist. Anything but absolute paths is ignored. */
function dragFiles(sender: WebContents, paths: unknown): void {
  const files = (Array.isArray(paths) ? paths : []).filter((path) => isPath(path) && existsSync(path))
  const [file] = files
  if (file !== undefined) sender.startDrag({ file, files, icon: join(PROGRAMS.icons, '32x32.png') })
}

/** Shows the path in the system's file manager. Anything but an absolute path is ignored. */
function showInFolder(path: unknown): void {
  if (isPath(path)) shell.showItemInFolder(path)
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path) && !path.includes('\0')
}
