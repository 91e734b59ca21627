/** `driftline cat`: the exact bytes of a file at a target, on stdout. */
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'

export const cat = command({
  name: 'cat',
  usage: ['TARGET PATH'],
  summary: 'print the exact bytes of a file at a target',
  options: {},
  positionals: [2, 2],
  run: async (context, { positionals }) => {
    const workspace = (await context.workspace()).id
    const path = await context.path(positionals[1]!)
    if (path === '') throw new DriftlineError('Usage', 'PATH is the whole folder. Name a file in it.')
    const file = await context.call('file.cat', { workspace, target: positionals[0]!, path })
    context.output.write(Buffer.from(file.base64, 'base64'))
    return 0
  }
})
