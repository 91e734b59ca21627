/** Leaving: `driftline remove` forgets folders, `disconnect --all` takes every hook out. Projects are never touched. */
import type { AgentChange } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { count } from '../words.ts'

export const remove = command({
  name: 'remove',
  usage: ['[--delete-history] [--yes]', '--all [--delete-history] [--yes]'],
  summary: 'stop recording a folder; with --delete-history forget what was recorded, too',
  options: {
    all: { type: 'boolean', help: 'every recorded folder; to delete, those removed before, too' },
    'delete-history': { type: 'boolean', help: 'delete what was recorded; this cannot be undone' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const { output } = context
    const deleteHistory = values['delete-history'] === true
    const workspaces = values.all ? await allFolders(context, deleteHistory) : [await context.workspace()]
    const folders = workspaces.length === 1 ? escapeLine(workspaces[0]?.root ?? '') : count(workspaces.length, 'folder')
    if (deleteHistory && workspaces.length > 0 && !values.yes) {
      const sentence = `What was recorded of ${folders} would be deleted for good. The files in the project stay as they are. "driftline export --all" writes it as plain files first.`
      if (!canAsk(output))
        throw new DriftlineError('NeedsConfirmation', `${sentence} Nothing was deleted; repeat with --yes.`, {})
      output.note(sentence)
      await output.flush()
      if (!(await confirm('Delete it?'))) return 3
    }
    for (const { id } of workspaces) await context.call('workspaces.remove', { workspace: id, deleteHistory })
    output.document({ removed: workspaces.map(({ id, root }) => ({ id, root })), deletedHistory: deleteHistory })
    output.lines([
      workspaces.length === 0
        ? 'No folder is recorded.'
        : `${folders} ${workspaces.length === 1 ? 'is' : 'are'} not recorded any more. ${deleteHistory ? 'What was recorded is deleted.' : 'What was recorded is kept and comes back when it is added again; `driftline remove --all --delete-history` deletes it.'}`
    ])
    return 0
  }
})

/** Histories of folders that were left before go with the others. */
async function allFolders(context: Context, deleteHistory: boolean): Promise<readonly Workspace[]> {
  const { workspaces, left } = await context.call('workspaces.list', {})
  return deleteHistory ? [...workspaces, ...left] : workspaces
}

/** Takes our hooks out of every agent, for the person and in every recorded folder. One that fails does not keep the others. */
export async function disconnectAll(
  context: Context,
  dryRun: boolean,
  homeOf: (agent: string) => string | undefined
): Promise<number> {
  const { output } = context
  const { agents } = await context.call('agents.list', {})
  const { workspaces } = await context.call('workspaces.list', {})
  const places = [
    undefined,
    ...workspaces.filter((workspace) => workspace.folder === 'present').map((workspace) => workspace.root)
  ]
  const changes: AgentChange[] = []
  const problems: string[] = []
  for (const { id } of agents) {
    for (const { project, mcp } of places.flatMap((project) => [false, true].map((mcp) => ({ project, mcp })))) {
      try {
        const home = project ? undefined : homeOf(id)
        const change = await context.call('agents.disconnect', {
          agent: id,
          dryRun,
          ...(mcp ? { mcp } : {}),
          ...(project ? { project } : {}),
          ...(home ? { home } : {})
        })
        if (change.change !== '') changes.push(change)
      } catch (error) {
        if (!(error instanceof DriftlineError)) throw error
        problems.push(`${id}: ${error.message}`)
      }
    }
  }
  output.document({ changes, problems })
  if (dryRun) output.lines(changes.flatMap((one) => one.change.trimEnd().split('\n').map(escapeLine)))
  output.lines([
    ...changes.flatMap((one) => takenOut(one, dryRun ? 'would be' : 'was')),
    ...problems.map(escapeText),
    ...(changes.length + problems.length === 0 ? ['No agent was connected.'] : [])
  ])
  return problems.length > 0 ? 1 : 0
}

function takenOut({ agent, file, removed }: AgentChange, was: string): string[] {
  if (removed.length === 0) return [`${agent}: ${was} taken out of ${escapeLine(file)}`]
  return removed.map((path) => `${agent}: ${escapeLine(path)} ${was} deleted; it holds nothing else`)
}
