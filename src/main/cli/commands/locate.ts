/** `driftline locate`: points a recorded folder that was moved to its new location; the history continues there. */
import { resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'
import { currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { realFolder } from '../paths.ts'

export const locate = command({
  name: 'locate',
  usage: ['OLD NEW'],
  summary: 'set the new location of a recorded folder that was moved or renamed',
  options: {},
  positionals: [2, 2],
  run: async (context, { positionals }) => {
    const [from, to] = positionals.map((typed) => realFolder(resolve(currentFolder(context.invocation), typed)))
    const { workspace, inside } = await context.call('workspaces.find', { folder: from! })
    if (inside !== '') {
      throw new DriftlineError(
        'NotAWorkspace',
        `${from} is inside the recorded folder ${workspace.root}. Nothing was changed. Name the recorded folder itself.`
      )
    }
    const located = await context.call('workspaces.locate', { workspace: workspace.id, folder: to! })
    context.output.document(located)
    context.output.lines([
      `${context.output.paint('green', 'Recording')} ${escapeLine(located.workspace.root)} with the history of ${escapeLine(workspace.root)}.`
    ])
    return 0
  }
})
