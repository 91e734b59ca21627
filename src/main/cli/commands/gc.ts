/** `driftline gc`: lets go of what no restore point needs, or of what is never to be kept, and gives the space back. */
import { DriftlineError } from '../../../contract/errors.ts'
import { bytes } from '../../../contract/sizes.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { count, when } from '../words.ts'

const SHOWN = 20

const QUESTION =
  'Let go of what was kept of files on the never-keep list, from every restore point and for good? `driftline gc --never --dry-run` lists it.'

/** The other way of this command takes nothing that anybody needs, so only this one asks. */
async function allowed({ output }: Context): Promise<boolean> {
  if (!canAsk(output))
    throw new DriftlineError('NeedsConfirmation', `${QUESTION} Nothing was let go of. Add --yes to do it.`, {})
  return confirm(QUESTION)
}

export const gc = command({
  name: 'gc',
  usage: ['[--dry-run]', '--never [--dry-run] [--yes]'],
  summary: 'let go of what no restore point needs and give the space back',
  options: {
    never: { type: 'boolean', help: 'instead what was kept of files on the never-keep list, from every restore point' },
    'dry-run': { type: 'boolean', help: 'only list what would go' },
    yes: { type: 'boolean', help: 'do not ask' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const dryRun = values['dry-run'] === true
    const never = values.never === true
    if (never && !dryRun && !values.yes && !(await allowed(context))) return 3
    const answer = await context.call('gc.run', { workspace, dryRun, never })
    const { output } = context
    output.document(answer)
    const { pruned, checkpoints } = answer
    const more = (list: readonly unknown[]): string[] =>
      list.length > SHOWN ? [`  and ${list.length - SHOWN} more`] : []
    output.lines([
      `${dryRun ? 'Would free' : 'Freed'} ${bytes(answer.freedBytes)}: ${answer.versions === 0 ? 'nothing' : count(answer.versions, never ? 'kept state' : 'older state')} ${dryRun ? 'would go' : 'went'}. History takes ${bytes(answer.historyBytes)} of ${bytes(answer.budget)} then.`,
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
          .map((checkpoint) => [
            `  ${checkpoint.id}`,
            checkpoint.reason,
            when(checkpoint.at, context.now()),
            escapeLine(checkpoint.label)
          ])
      ),
      ...more(checkpoints)
    ])
    return 0
  }
})
