/** The Electron host, from its arguments to its end. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { app, dialog, shell } from 'electron'
import { toErrorShape } from '../../contract/errors.ts'
import { log } from '../engine/ports/log.ts'
import { dataDirOf, ensureDataDir } from '../host/data-dir.ts'
import { type Host, openHost } from '../host/host.ts'
import { internalClient, registerFolderOnHost } from '../host/internal-client.ts'
import { oneTimeUrlOf } from '../host/one-time-url.ts'
import { openOrFindHost } from '../host/second-host.ts'
import { PROGRAM_ROOT } from '../programs.ts'
import { createRelay, type Relay } from '../remote/relay.ts'
import { connectPages } from './bridge.ts'
import { installableCommand, installCommand } from './command-line.ts'
import { folderOfLink, type OpenRequest, openLinkedFolder, openRequests, registerLinkScheme, SCHEME } from './links.ts'
import { isOpenedAtLogin, syncLoginItem } from './login-item.ts'
import { installMenu, recentFolderItems, updateRecentLists } from './menu.ts'
import { notifyRunEnds } from './notify.ts'
import { onWorkspacesChange } from './on-change.ts'
import { registerScheme, servePages } from './pages.ts'
import { rescanAfterSleep } from './rescan-after-sleep.ts'
import { searchPath } from './search-path.ts'
import { followTheme, loadTheme } from './theme.ts'
import { installTray } from './tray.ts'
import { openWindow, showWindow } from './window.ts'
import { handleWindowClose } from './window-close.ts'

interface Arguments extends OpenRequest {
  readonly data: string | undefined
  /** Started at login, without a window. */
  readonly background: boolean
}

/** Does what Electron requires before `ready`, then continues with `run`. */
export function start(): void {
  if (process.platform === 'darwin') process.env.PATH = searchPath(process.env.PATH ?? '', homedir())
  const args = readArguments(process.argv.slice(1), process.cwd())
  const dataDir = dataDirOf(args.data)
  try {
    ensureDataDir(dataDir)
  } catch (error) {
    fail(error)
    return
  }
  // One app per data folder: Electron keeps its single-instance lock and profile in userData.
  app.setPath('userData', join(dataDir, 'electron'))
  if (!app.requestSingleInstanceLock({ folder: args.folder ?? '' })) {
    app.quit()
    return
  }
  registerScheme()
  const serveRequests = openRequests(readArguments)
  app
    .whenReady()
    .then(() => run(dataDir, args, serveRequests))
    .catch(fail)
}

/**
 * Parses the arguments after Electron's own: an optional folder or link and `--data`. Unknown switches belong to
 * Chromium.
 */
function readArguments(argv: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: { data: { type: 'string' }, folder: { type: 'string' }, background: { type: 'boolean' } }
  })
  // In a checkout the first argument is the app's own folder.
  const argument = positionals[app.isPackaged ? 0 : 1]
  const isLink = argument?.startsWith(`${SCHEME}:`) ?? false
  const folder = values.folder ?? (isLink ? undefined : argument)
  return {
    data: typeof values.data === 'string' ? values.data : undefined,
    folder: typeof folder === 'string' ? resolve(cwd, folder) : undefined,
    link: isLink ? folderOfLink(argument ?? '') : null,
    background: values.background === true
  }
}

async function run(dataDir: string, args: Arguments, serveRequests: ReturnType<typeof openRequests>): Promise<void> {
  const { folder } = args
  servePages()
  const theme = loadTheme(dataDir)

  const open = (): Promise<Host> => openHost({ dataDir, kind: 'electron', onGiveUp: fail })
  const opened = await openOrFindHost(open, dataDir, folder)
  if ('running' in opened) {
    // A headless host already runs on this data folder; show it in the browser.
    await shell.openExternal(await oneTimeUrlOf(opened.running.url, opened.running.workspace))
    app.quit()
    return
  }
  const { host } = opened

  const relay = createRelay({ ...host, root: PROGRAM_ROOT })
  const { client } = internalClient(host)
  const guard = handleWindowClose(client)
  const send = connectPages(relay, (url) => void openWindow(dataDir, url, guard).catch(fail))
  followTheme(dataDir, theme)
  // The window opens while the engine starts. Its first calls wait in the engine thread.
  const showWhenResolved = (workspace: Promise<string | null>): void => {
    workspace.then((id) => (id === null ? undefined : showWindow(dataDir, id, guard))).catch(fail)
  }
  const show = (workspace: string): void => showWhenResolved(Promise.resolve(workspace))
  const openRequested = ({ folder, link }: OpenRequest): void => {
    if (link !== null) showWhenResolved(openLinkedFolder(client, link))
    else showWhenResolved(folder === undefined ? Promise.resolve('') : registerFolderOnHost(host, folder))
  }
  const command = installableCommand()
  const install = command && (() => installCommand(command))
  installMenu(send, [], install)
  const updateTray = installTray({
    show,
    setPaused: (paused) =>
      void client
        .call('host.watch', { on: !paused })
        .catch((error: unknown) => log.error('recording could not be paused or resumed', error))
  })
  onWorkspacesChange(client, (workspaces, state) => {
    installMenu(send, recentFolderItems(workspaces, show), install)
    updateRecentLists(workspaces, show)
    updateTray(workspaces, state)
  })
  rescanAfterSleep(client)
  registerLinkScheme()
  notifyRunEnds(client, show)
  closeBeforeQuit(host, relay)
  syncLoginItem(client)

  if (args.link !== null) openRequested(args)
  else if (!args.background && !isOpenedAtLogin())
    await showWindow(dataDir, folder === undefined ? '' : await registerFolderOnHost(host, folder), guard)

  serveRequests(openRequested)
}

/** Delays quitting until the engine has closed its store. */
function closeBeforeQuit(host: Host, relay: Relay): void {
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    relay.close()
    host
      .close('closed')
      .catch((error: unknown) => log.error('the recorder did not close', error))
      .finally(() => {
        closed = true
        app.quit()
      })
  })
}

/** Shows a fatal error and exits. */
function fail(error: unknown): void {
  const { message } = toErrorShape(error)
  log.error('Driftline has to close', error)
  dialog.showErrorBox('Driftline has to close', message)
  app.exit(1)
}
