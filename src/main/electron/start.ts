/** The Electron host from its arguments to its end. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { app, BrowserWindow, dialog, shell } from 'electron'
import { DriftlineError, toErrorShape } from '../../contract/errors.ts'
import { dataDirOf, ensureDataDir } from '../host/data-dir.ts'
import { type Host, openHost } from '../host/host.ts'
import { innerClient, workspaceToOpen } from '../host/inner-client.ts'
import { oneTimeUrlOf } from '../host/one-time-url.ts'
import { becomeHostOrFind } from '../host/second-host.ts'
import { connectPages } from './bridge.ts'
import { denyPermissions, guardContents } from './hardening.ts'
import { installMenu } from './menu.ts'
import { notifyOfRuns } from './notify.ts'
import { registerScheme, servePages } from './pages.ts'
import { followTheme, loadTheme } from './theme.ts'
import { openWindow, showWorkspace } from './window.ts'

interface Arguments {
  readonly data: string | undefined
  /** Absolute path of a folder to show first. */
  readonly folder: string | undefined
}

/** Everything before `ready`, then the rest. */
export function start(): void {
  const asked = readArguments(process.argv.slice(1), process.cwd())
  const dataDir = dataDirOf(asked.data)
  try {
    ensureDataDir(dataDir)
  } catch (error) {
    fail(error)
    return
  }
  // One window per data folder: Electron's own lock and profile lie inside it.
  app.setPath('userData', join(dataDir, 'electron'))
  if (!app.requestSingleInstanceLock({ folder: asked.folder ?? '' })) {
    app.quit()
    return
  }
  registerScheme()
  app
    .whenReady()
    .then(() => run(dataDir, asked.folder))
    .catch(fail)
}

/** Arguments after Electron's own: an optional folder and `--data`. Unknown switches are Chromium's. */
export function readArguments(argv: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: { data: { type: 'string' }, folder: { type: 'string' } }
  })
  // Unpackaged, the first argument is the app's own folder.
  const folder = values.folder ?? positionals[app.isPackaged ? 0 : 1]
  return {
    data: typeof values.data === 'string' ? values.data : undefined,
    folder: typeof folder === 'string' ? resolve(cwd, folder) : undefined
  }
}

async function run(dataDir: string, folder: string | undefined): Promise<void> {
  servePages()
  denyPermissions()
  guardContents()
  const theme = loadTheme(dataDir)

  const open = (): Promise<Host> =>
    openHost({ dataDir, kind: 'electron', onRestart: (sentence) => console.error(sentence), onGiveUp: fail })
  const first = await becomeHostOrFind(open, dataDir, folder)
  if ('running' in first) {
    // A headless host already runs on this data folder: that one is shown.
    await shell.openExternal(await oneTimeUrlOf(first.running.url, first.running.workspace))
    app.quit()
    return
  }
  const { host } = first

  const send = connectPages(host)
  followTheme(dataDir, theme)
  installMenu(send.command)
  // The window comes up while the engine does; its first calls wait in the engine's thread.
  const workspace = folder === undefined ? '' : await workspaceToOpen(host, folder)
  await openWindow(dataDir, workspace)

  const bringBack = (bring: Promise<string>): void => {
    bring.then((shown) => showAgain(dataDir, shown)).catch(fail)
  }
  const bringFolder = (other: string | undefined): void =>
    bringBack(other === undefined ? Promise.resolve('') : workspaceToOpen(host, other))
  app.on('second-instance', (_event, argv, cwd, extra) => {
    const given = (extra as { folder?: unknown } | null)?.folder
    bringFolder(typeof given === 'string' && given ? given : readArguments(argv.slice(1), cwd).folder)
  })
  // A folder dropped on the Dock icon.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    bringFolder(path)
  })
  app.on('activate', () => bringFolder(undefined))
  notifyOfRuns(innerClient(host).client, (ended) => bringBack(Promise.resolve(ended)))
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  closeBeforeQuit(host)
}

/** Brings the window to the front, on a workspace if one is named; opens it if it was closed. */
async function showAgain(dataDir: string, workspace: string): Promise<void> {
  const [window] = BrowserWindow.getAllWindows()
  if (!window) return openWindow(dataDir, workspace)
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (workspace) await showWorkspace(window, workspace)
}

/** Quitting waits for the engine to close its store. */
function closeBeforeQuit(host: Host): void {
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    host
      .close()
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        closed = true
        app.quit()
      })
  })
}

/** Says why Driftline cannot go on, and ends it. */
function fail(error: unknown): void {
  const { message } = toErrorShape(error)
  console.error(error instanceof DriftlineError ? message : error)
  dialog.showErrorBox('Driftline cannot go on', message)
  app.exit(1)
}
