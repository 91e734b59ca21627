/** `driftline open`: the app on a folder, in the host that runs or in a new one. */
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
  summary: 'show the app on a folder',
  options: {},
  positionals: [0, 1],
  run: async (context, { positionals }) => {
    const typed = positionals[0]
    const folder =
      typed === undefined ? context.folder() : realFolder(resolve(currentFolder(context.surroundings), typed))
    const workspace = await workspaceOf(context, folder)
    const { where } = await context.open()
    const running = where === 'host' ? readEngineFile(context.dataDir) : null
    await context.close()
    const { hasDisplay } = await import('../../server/open-browser.ts')
    if (running?.url) return showInBrowser(context, { ...running, url: running.url }, workspace)
    const program = hasDisplay() ? windowProgram(dirname(dirname(dirname(context.surroundings.programs.serve)))) : null
    if (program) {
      await startWindow(program, context.dataDir, workspace.root)
      context.output.document({ workspace, url: null })
      context.output.lines([`Opening ${escapeLine(workspace.root)}`])
      return 0
    }
    if (running) {
      throw new DriftlineError(
        'SecondHost',
        'The app already runs in a window that cannot be reached from here. Nothing was changed; look at that window.'
      )
    }
    return showInBrowser(
      context,
      await startHeadlessHost(context.surroundings.programs.serve, context.dataDir),
      workspace
    )
  }
})

/** The workspace of a folder; one that is not recorded yet is added only after a person said so. */
async function workspaceOf(context: Context, folder: string): Promise<Workspace> {
  try {
    return (await context.call('workspaces.find', { folder })).workspace
  } catch (error) {
    const isNew = error instanceof DriftlineError && error.code === 'NotAWorkspace'
    if (!isNew || !canAsk(context.output)) throw error
    if (!(await confirm(`${escapeLine(folder)} is not recorded yet. Record it?`))) throw error
    return (await addFolder(context, folder, false)).workspace
  }
}

/** Shows the address in the browser, or prints it where there is no screen. */
async function showInBrowser(
  context: Context,
  host: EngineFile & { readonly url: string },
  workspace: Workspace
): Promise<number> {
  const [{ hasDisplay, openRunningHost }, { onWorkspace }] = await Promise.all([
    import('../../server/open-browser.ts'),
    import('../../server/http-server.ts')
  ])
  const url = onWorkspace(host.url, workspace.id)
  if (hasDisplay() && !context.output.json) {
    await openRunningHost(host.url, workspace.id)
    context.output.lines([`Opening ${escapeLine(workspace.root)} in the browser.`])
    return 0
  }
  context.output.document({ workspace, url, pid: host.pid })
  context.output.lines([url])
  return 0
}
