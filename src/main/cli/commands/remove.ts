/** `driftline remove`: stops recording folders and, on request, deletes their history. Project files are never touched. */
import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'

export const remove = command({
  name: 'remove',
  usage: ['[--delete-history] [--yes]', '--all [--delete-history] [--yes]'],
  summary: 'stop recording a folder; its history is kept unless --delete-history is given',
  options: {
    all: { type: 'boolean', help: 'all folders, including removed ones when deleting' },
    'delete-history': { type: 'boolean', help: 'delete the history; this cannot be undone' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const { output } = context
    const deleteHistory = values['delete-history'] === true
    const workspaces = values.all ? await allFolders(context, deleteHistory) : [await context.workspace()]
    const folders =
      workspaces.length === 1 ? escapeLine(workspaces[0]?.root ?? '') : plural(workspaces.length, 'folder')
    if (deleteHistory && workspaces.length > 0 && !values.yes) {
      const warning = `The history of ${folders} will be deleted permanently. Project files are not changed. \`driftline export --all\` saves the history as plain files first.`
      if (!canAsk(output))
        throw new DriftlineError('NeedsConfirmation', `${warning} Nothing was deleted. Add --yes to confirm.`, {})
      output.note(warning)
      await output.flush()
      if (!(await confirm('Delete the history?'))) return 3
    }
    for (const { id } of workspaces) await context.call('workspaces.remove', { workspace: id, deleteHistory })
    output.document({ removed: workspaces.map(({ id, root }) => ({ id, root })), deletedHistory: deleteHistory })
    output.lines([
      workspaces.length === 0
        ? 'No recorded folders.'
        : `${folders} ${workspaces.length === 1 ? 'is' : 'are'} no longer recorded. ${deleteHistory ? 'The history is deleted.' : 'The history is kept; adding the folder again continues it. `driftline remove --all --delete-history` deletes it.'}`
    ])
    return 0
  }
})

/** All recorded folders; when deleting, also the removed ones, whose history is still stored. */
async function allFolders(context: Context, deleteHistory: boolean): Promise<readonly Workspace[]> {
  const { workspaces, left } = await context.call('workspaces.list', {})
  return deleteHistory ? [...workspaces, ...left] : workspaces
}
