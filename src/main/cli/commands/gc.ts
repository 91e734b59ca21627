/** `driftline gc`: gives back the space of content no restore point needs. */
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { bytes, count, some } from '../words.ts'

export const gc = command({
  name: 'gc',
  usage: ['[--dry-run]'],
  summary: 'give back the space of content no restore point needs',
  options: { 'dry-run': { type: 'boolean', help: 'only say what would be given back' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const dryRun = values['dry-run'] === true
    const answer = await context.call('gc.run', { workspace, dryRun })
    context.output.document(answer)
    context.output.lines([
      `${dryRun ? 'Would free' : 'Freed'} ${bytes(answer.freedBytes)}, ${count(answer.pruned.length, 'entry', 'entries')} pruned${
        answer.pruned.length > 0 ? `: ${some(answer.pruned.map(escapeLine), 5)}` : ''
      }.`
    ])
    return 0
  }
})
