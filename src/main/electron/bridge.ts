/** The host's end of the preload bridge: frames to and from the engine, and the functions that only Electron has. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, isAbsolute } from 'node:path'
import { BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, shell, type WebContents } from 'electron'
import { openChannel } from '../../contract/wire.ts'
import { CHANNELS } from '../../preload/channels.ts'
import type { Host } from '../host/host.ts'
import { isOwnSender } from './pages.ts'

/** Serves the pages of all windows. Returns how to send a menu command to the focused window. */
export function connectPages(host: Host): (command: string) => void {
  const pages = new Map<number, ReturnType<typeof connectPage>>()

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

  return (command) => {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
    window?.webContents.send(CHANNELS.command, command)
  }
}

function connectPage(host: Host, contents: WebContents) {
  let ended = false
  const { channel, deliver } = openChannel((frame) => {
    if (!ended && !contents.isDestroyed()) contents.send(CHANNELS.frame, frame)
  })
  const disconnect = host.connect(channel)
  return {
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

/** Editors that open their own window, separated by blanks. Others need a terminal. */
const WINDOWED_EDITORS =
  'code code-insiders codium cursor windsurf zed subl gedit gnome-text-editor kate mate bbedit gvim mvim idea webstorm ' +
  'pycharm goland rustrover notepad++'

/** Program and arguments of $VISUAL or $EDITOR if it opens its own window, else null. */
export function windowedEditor(env: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  const editors = WINDOWED_EDITORS.split(' ')
  for (const setting of [env.VISUAL, env.EDITOR]) {
    const command = setting?.trim().split(/\s+/) ?? []
    const program = command[0]
    if (program && editors.includes(basename(program).replace(/\.(exe|cmd)$/i, ''))) return command
  }
  return null
}

/** Shows the path in the system's file manager. Anything but an absolute path is ignored. */
function showInFolder(path: unknown): void {
  if (isPath(path)) shell.showItemInFolder(path)
}

/**
 * Opens the path in the configured editor if it opens its own window, else shows it in the file manager. Never uses
 * shell.openPath: it would start the default program of the file type, which can execute a hostile project's file.
 */
async function openInEditor(path: unknown): Promise<void> {
  if (!isPath(path)) return
  const editor = windowedEditor(process.env)
  if (!editor) return showInFolder(path)
  const [program = '', ...options] = editor
  // `--wait` is for callers such as git. The path is absolute, so it cannot be parsed as an option.
  const args = [...options.filter((option) => option !== '--wait' && option !== '-w'), path]
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  try {
    await once(child, 'spawn')
    child.unref()
  } catch {
    // Expected: ENOENT. A program started from a menu may have another PATH than a shell.
    showInFolder(path)
  }
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path) && !path.includes('\0')
}
