/**
 * `driftline open` shows a folder in the running host, or starts one; `serve`, `mcp` and `hook` are programs of their
 * own.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { ifReadable } from '../../engine/files/fs-errors.ts'
import { readEngineFile } from '../../host/engine-file.ts'
import { withWorkspace } from '../../host/one-time-url.ts'
import { hasDisplay, openRunningHost } from '../../server/open-browser.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import { type Context, folderArgument } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { startHeadlessHost, startWindow, windowProgram } from '../start-app.ts'
import { openBundle } from './bundles.ts'
import { addFolder } from './folders.ts'

export const open = command({
  name: 'open',
  onlyHere: true,
  usage: ['[FOLDER]', 'FILE'],
  summary: 'open a folder, or a bundle as a review, in the app',
  options: {},
  positionals: [0, 1],
  run: async (context, { positionals: [typed] }) => {
    const { dataDir, invocation, output } = context
    const named = typed === undefined ? context.folder() : folderArgument(context, typed)
    const workspace = isFile(named) ? await openBundle(context, named) : await workspaceOf(context, named)
    const { where } = await context.open()
    const running = where === 'host' ? readEngineFile(dataDir) : null
    await context.close()
    if (running?.url) return showInBrowser(context, running.url, running.pid, workspace)
    const program = hasDisplay() ? windowProgram(dirname(dirname(dirname(invocation.programs.serve)))) : null
    if (program) {
      await startWindow(program, dataDir, workspace.root)
      return output.print({ workspace, url: null }, [`Opening ${escapeLine(workspace.root)}`])
    }
    if (running && running.kind !== 'background') {
      throw new DriftlineError(
        'SecondHost',
        'The app is already running in a window that cannot be opened from this terminal. Nothing was changed.'
      )
    }
    const started = await startHeadlessHost(invocation.programs.serve, dataDir)
    return showInBrowser(context, started.url, started.pid, workspace)
  }
})

function isFile(path: string): boolean {
  return ifReadable(() => statSync(path))?.isFile() === true
}

function missing(folder: string): DriftlineError {
  return new DriftlineError('FolderMissing', `There is nothing at ${folder}. Nothing was opened. Check the path.`)
}

/** The workspace of a folder; a new folder is added only after confirmation. */
async function workspaceOf(context: Context, folder: string): Promise<Workspace> {
  try {
    const { workspace, inside } = await context.call('workspaces.find', { folder })
    // The recorded folder itself may be missing: the app then says so.
    if (inside === '' || existsSync(folder)) return workspace
    throw missing(folder)
  } catch (error) {
    const isNew = error instanceof DriftlineError && error.code === 'NotAWorkspace'
    if (isNew && !existsSync(folder)) throw missing(folder)
    if (
      !isNew ||
      !canAsk(context.output) ||
      !(await confirm(`${escapeLine(folder)} is not recorded yet. Record this folder?`))
    )
      throw error
    return (await addFolder(context, folder)).workspace
  }
}

/** Opens the URL of a host in the browser, or prints it without a display. */
async function showInBrowser({ output }: Context, hostUrl: string, pid: number, workspace: Workspace): Promise<number> {
  const url = withWorkspace(hostUrl, workspace.id)
  if (!hasDisplay() || output.json) return output.print({ workspace, url, pid }, [url])
  await openRunningHost(hostUrl, workspace.id)
  output.lines([`Opening ${escapeLine(workspace.root)} in the browser.`])
  return 0
}

/** The headless host in this process. */
export const serve = command({
  name: 'serve',
  onlyHere: true,
  usage: ['[--port N] [--no-open] [--stay]'],
  summary: 'serve the app to a browser on this computer; prints one line with the URL',
  options: {
    port: { type: 'string', value: 'N', help: 'listen on this port (default: the last one here, or a free one)' },
    'no-open': { type: 'boolean', help: 'do not open a browser' },
    stay: { type: 'boolean', help: 'keep running after the last browser disconnects' }
  },
  run: async (context, { values: { port, 'no-open': noOpen, stay } }) => {
    if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
      throw new DriftlineError('Usage', `--port takes a number up to 65535, not "${port}".`)
    const { runServer } = await import('../../server/run-server.ts')
    return runServer([
      ...(context.output.json ? ['--json'] : []),
      ...(port === undefined ? [] : [`--port=${port}`]),
      ...(noOpen ? ['--no-open'] : []),
      ...(stay ? ['--stay'] : []),
      ...(context.folderOption === undefined ? [] : [`--folder=${context.folder()}`]),
      `--data=${context.dataDir}`
    ])
  }
})

/** File and history tools for an agent or a chat app, over the Model Context Protocol. */
export const mcp = command({
  name: 'mcp',
  onlyHere: true,
  usage: [''],
  summary: 'serve file and history tools to an agent: an MCP server on stdin and stdout',
  run: async (context) => {
    // Imported on demand: only this command needs the protocol library.
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    return serveMcp(context)
  }
})

/** The entry file runs the hook itself, before this module is loaded. */
export const hook = command({
  name: 'hook',
  onlyHere: true,
  usage: ['AGENT EVENT'],
  summary: 'called by agents with an event as JSON on stdin; prints only a review or a refusal, and exits 0',
  positionals: [0, 2],
  run: async () => 0
})
