/** `driftline locate`: a recorded folder that moved goes on with its history at its new place. */
import { resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'
import { currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { realFolder } from '../paths.ts'

export const locate = command({
  name: 'locate',
  usage: ['OLD NEW'],
  summary: 'tell where a recorded folder went that was moved or renamed',
  options: {},
  positionals: [2, 2],
  run: async (context, { positionals }) => {
    const [old, now] = positionals.map((typed) => realFolder(resolve(currentFolder(context.surroundings), typed)))
    const { workspace, inside } = await context.call('workspaces.find', { folder: old! })
    if (inside !== '') {
      throw new DriftlineError(
        'NotAWorkspace',
        `${old} is a folder inside ${workspace.root}, which is what is recorded. Nothing was changed.`
      )
    }
    const located = await context.call('workspaces.locate', { workspace: workspace.id, folder: now! })
    context.output.document(located)
    context.output.lines([
      `${context.output.paint('green', 'Recording')} ${escapeLine(located.workspace.root)} with the history of ${escapeLine(workspace.root)}.`
    ])
    return 0
  }
})
