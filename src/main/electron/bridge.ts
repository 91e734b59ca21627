/** The host's end of the preload bridge: frames to and from the engine, and the functions that only Electron has. */
import { BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import { CHANNELS } from '../../preload/channels.ts'
import type { Host } from '../host/host.ts'
import { openInEditor, showInFolder } from './open-path.ts'
import { isOwnSender } from './sender.ts'

interface Page {
  deliver(frame: string): void
  end(): void
}

/** Serves the pages of all windows. Returns how to send a menu command to the focused window. */
export function connectPages(host: Host): { readonly command: (name: string) => void } {
  const pages = new Map<number, Page>()

  ipcMain.on(CHANNELS.hello, (event) => {
    if (!isOwnSender(event)) return
    const { sender } = event
    // A reloaded page is a new client. Answers to calls of its predecessor are dropped.
    pages.get(sender.id)?.end()
    pages.set(sender.id, connectPage(host, sender))
    sender.once('destroyed', () => {
      pages.get(sender.id)?.end()
      pages.delete(sender.id)
    })
  })
  ipcMain.on(CHANNELS.frame, (event, frame: unknown) => {
    if (isOwnSender(event) && typeof frame === 'string') pages.get(event.sender.id)?.deliver(frame)
  })

  handleInvoke(CHANNELS.chooseFolder, (_argument, event) => chooseFolder(event))
  handleInvoke(CHANNELS.reveal, async (path) => showInFolder(path))
  handleInvoke(CHANNELS.openInEditor, (path) => openInEditor(path))

  return {
    command: (name) => {
      const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
      window?.webContents.send(CHANNELS.command, name)
    }
  }
}

function connectPage(host: Host, contents: WebContents): Page {
  let deliver: (frame: string) => void = () => {}
  let ended = false
  const disconnect = host.connect({
    send: (frame) => {
      if (!ended && !contents.isDestroyed()) contents.send(CHANNELS.frame, frame)
    },
    onFrame: (listener) => {
      deliver = listener
    },
    onClose: () => {}
  })
  return {
    deliver: (frame) => deliver(frame),
    end: () => {
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
