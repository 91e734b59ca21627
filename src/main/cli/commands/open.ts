/** `driftline open`: shows a folder in the running host, or starts one. */
import { dirname, resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { type EngineFile, readEngineFile } from '../../host/engine-file.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import { type Context, currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { realFolder } from '../paths.ts'
import { startHeadlessHost, startWindow, windowProgram } from '../start-app.ts'
import { addFolder } from './add.ts'

export const open = command({
  name: 'open',
  usage: ['[FOLDER]'],
  summary: 'open a folder in the app',
  options: {},
  positionals: [0, 1],
  run: async (context, { positionals }) => {
    const typed = positionals[0]
    const folder =
      typed === undefined ? context.folder() : realFolder(resolve(currentFolder(context.invocation), typed))
    const workspace = await workspaceOf(context, folder)
    const { where } = await context.open()
    const running = where === 'host' ? readEngineFile(context.dataDir) : null
    await context.close()
    const { hasDisplay } = await import('../../server/open-browser.ts')
    if (running?.url) return showInBrowser(context, { ...running, url: running.url }, workspace)
    const program = hasDisplay() ? windowProgram(dirname(dirname(dirname(context.invocation.programs.serve)))) : null
    if (program) {
      await startWindow(program, context.dataDir, workspace.root)
      context.output.document({ workspace, url: null })
      context.output.lines([`Opening ${escapeLine(workspace.root)}`])
      return 0
    }
    if (running) {
      throw new DriftlineError(
        'SecondHost',
        'The app is already running in a window that cannot be opened from this terminal. Nothing was changed.'
      )
    }
    return showInBrowser(
      context,
      await startHeadlessHost(context.invocation.programs.serve, context.dataDir),
      workspace
    )
  }
})

/** The workspace of a folder; a new folder is added only after confirmation. */
async function workspaceOf(context: Context, folder: string): Promise<Workspace> {
  try {
    return (await context.call('workspaces.find', { folder })).workspace
  } catch (error) {
    const isNew = error instanceof DriftlineError && error.code === 'NotAWorkspace'
    if (!isNew || !canAsk(context.output)) throw error
    if (!(await confirm(`${escapeLine(folder)} is not recorded yet. Record this folder?`))) throw error
    return (await addFolder(context, folder, false)).workspace
  }
}

/** Opens the URL in the browser, or prints it without a display. */
async function showInBrowser(
  context: Context,
  host: EngineFile & { readonly url: string },
  workspace: Workspace
): Promise<number> {
  const [{ hasDisplay, openRunningHost }, { withWorkspace }] = await Promise.all([
    import('../../server/open-browser.ts'),
    import('../../server/http-server.ts')
  ])
  const url = withWorkspace(host.url, workspace.id)
  if (hasDisplay() && !context.output.json) {
    await openRunningHost(host.url, workspace.id)
    context.output.lines([`Opening ${escapeLine(workspace.root)} in the browser.`])
    return 0
  }
  context.output.document({ workspace, url, pid: host.pid })
  context.output.lines([url])
  return 0
}
