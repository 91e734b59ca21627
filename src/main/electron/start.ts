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
import { installableCommand, installCommand } from './command-line.ts'
import { denyPermissions, guardContents } from './hardening.ts'
import { claimLinks, folderOfLink, followLink, SCHEME } from './links.ts'
import { keepLoginItem } from './login-item.ts'
import { installMenu } from './menu.ts'
import { notifyOfRuns } from './notify.ts'
import { onChange } from './on-change.ts'
import { registerScheme, servePages } from './pages.ts'
import { listRecent, recentItems } from './recent.ts'
import { stayInBackground } from './stay.ts'
import { followTheme, loadTheme } from './theme.ts'
import { installTray } from './tray.ts'
import { checkAfterSleep } from './wake.ts'
import { openWindow, showWorkspace } from './window.ts'
import { hearWishes, type Wish, type Wishes } from './wishes.ts'

interface Arguments extends Wish {
  readonly data: string | undefined
  /** Started with the session: no window. */
  readonly background: boolean
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
  const wishes = hearWishes(readArguments)
  app
    .whenReady()
    .then(() => run(dataDir, asked, wishes))
    .catch(fail)
}

/** Arguments after Electron's own: an optional folder and `--data`. Unknown switches are Chromium's. */
function readArguments(argv: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: { data: { type: 'string' }, folder: { type: 'string' }, background: { type: 'boolean' } }
  })
  // Unpackaged, the first argument is the app's own folder.
  const first = positionals[app.isPackaged ? 0 : 1]
  const isLink = first?.startsWith(`${SCHEME}:`) ?? false
  const folder = values.folder ?? (isLink ? undefined : first)
  return {
    data: typeof values.data === 'string' ? values.data : undefined,
    folder: typeof folder === 'string' ? resolve(cwd, folder) : undefined,
    link: isLink ? folderOfLink(first ?? '') : null,
    background: values.background === true
  }
}

async function run(dataDir: string, asked: Arguments, wishes: Wishes): Promise<void> {
  const { folder } = asked
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
  const { client } = innerClient(host)
  const staying = stayInBackground(client)
  // The window comes up while the engine does; its first calls wait in the engine's thread.
  const show = (workspace: string): Promise<void> => showAgain(dataDir, workspace, staying.guard)
  const bringBack = (bring: Promise<string | null>): void => {
    bring.then((shown) => (shown === null ? undefined : show(shown))).catch(fail)
  }
  const bring = ({ folder, link }: Wish): void => {
    if (link !== null) bringBack(followLink(client, link))
    else bringBack(folder === undefined ? Promise.resolve('') : workspaceToOpen(host, folder))
  }
  const command = installableCommand()
  onChange(client, (workspaces) => {
    const shown = (workspace: string): void => bringBack(Promise.resolve(workspace))
    installMenu(send.command, recentItems(workspaces, shown), command && (() => installCommand(command)))
    listRecent(workspaces, shown)
  })
  installMenu(send.command, [], command && (() => installCommand(command)))
  installTray(client, {
    show: (workspace) => bringBack(Promise.resolve(workspace)),
    pause: (paused) => void client.call('host.watch', { on: !paused }).catch((error: unknown) => console.error(error))
  })
  checkAfterSleep(client)
  claimLinks()
  notifyOfRuns(client, (ended) => bringBack(Promise.resolve(ended)))
  closeBeforeQuit(host)
  keepLoginItem(client)

  if (asked.link !== null) bring(asked)
  else if (!asked.background) await show(asked.folder === undefined ? '' : await workspaceToOpen(host, asked.folder))

  wishes.serve(bring)
}

/** Brings the window to the front, on a workspace if one is named; opens it if it was closed. */
async function showAgain(dataDir: string, workspace: string, guard: (window: BrowserWindow) => void): Promise<void> {
  const [window] = BrowserWindow.getAllWindows()
  if (!window) return openWindow(dataDir, workspace, guard)
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
