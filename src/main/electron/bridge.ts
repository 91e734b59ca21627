/** The host's end of the preload's bridge: frames to and from the engine, and the few things only Electron can do. */
import { BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import { CHANNELS } from '../../preload/channels.ts'
import type { Host } from '../host/host.ts'
import { openInEditor, showInFolder } from './open-path.ts'
import { isOwnSender } from './sender.ts'

interface Page {
  deliver(frame: string): void
  end(): void
}

/** Listens to every window's page. Answers how to send a menu command to the window in front. */
export function connectPages(host: Host): { readonly command: (name: string) => void } {
  const pages = new Map<number, Page>()

  ipcMain.on(CHANNELS.hello, (event) => {
    if (!isOwnSender(event)) return
    const { sender } = event
    // A page that was loaded again is a new caller; what the old one asked is nobody's any more.
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

  answer(CHANNELS.chooseFolder, (_argument, event) => chooseFolder(event))
  answer(CHANNELS.reveal, async (path) => showInFolder(path))
  answer(CHANNELS.openInEditor, (path) => openInEditor(path))

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

/** Handles a question of our own pages only. */
function answer(channel: string, reply: (argument: unknown, event: IpcMainInvokeEvent) => Promise<unknown>): void {
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
