/** `driftline gc`: lets go of what no restore point needs, as the budget and age say, and gives the space back. */
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { bytes, count, when } from '../words.ts'

const SHOWN = 20

export const gc = command({
  name: 'gc',
  usage: ['[--dry-run]'],
  summary: 'let go of what no restore point needs and give the space back',
  options: { 'dry-run': { type: 'boolean', help: 'only list what would go' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const dryRun = values['dry-run'] === true
    const answer = await context.call('gc.run', { workspace, dryRun })
    const { output } = context
    output.document(answer)
    const { pruned, checkpoints } = answer
    const more = (list: readonly unknown[]): string[] =>
      list.length > SHOWN ? [`  and ${list.length - SHOWN} more`] : []
    output.lines([
      `${dryRun ? 'Would free' : 'Freed'} ${bytes(answer.freedBytes)}: ${answer.versions === 0 ? 'nothing' : count(answer.versions, 'older state')} ${dryRun ? 'would go' : 'went'}. History takes ${bytes(answer.historyBytes)} of ${bytes(answer.budget)} then.`,
      ...(answer.note === '' ? [] : [output.paint('yellow', escapeLine(answer.note))]),
      ...pruned.slice(0, SHOWN).map((line) => `  ${escapeLine(line)}`),
      ...more(pruned),
      ...(checkpoints.length === 0
        ? []
        : [
            `${count(checkpoints.length, 'checkpoint')} ${dryRun ? 'would' : 'can'} no longer ${dryRun ? 'be restorable' : 'be restored'} whole:`
          ]),
      ...columns(
        checkpoints
          .slice(0, SHOWN)
          .map((one) => [`  ${one.id}`, one.reason, when(one.at, context.now()), escapeLine(one.label)])
      ),
      ...more(checkpoints)
    ])
    return 0
  }
})
