/** `driftline gc`: deletes history that no checkpoint needs, or the stored copies of excluded files, and frees the disk space. */

import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'

const SHOWN = 20

const QUESTION =
  'Delete all stored copies of excluded files, permanently and from every checkpoint? `driftline gc --never --dry-run` lists them.'

/** Only --never needs confirmation: without it, only history that no checkpoint needs is deleted. */
async function isConfirmed({ output }: Context): Promise<boolean> {
  if (!canAsk(output))
    throw new DriftlineError('NeedsConfirmation', `${QUESTION} Nothing was deleted. Add --yes to confirm.`, {})
  return confirm(QUESTION)
}

export const gc = command({
  name: 'gc',
  usage: ['[--dry-run]', '--never [--dry-run] [--yes]'],
  summary: 'delete unneeded history and reclaim disk space',
  options: {
    never: { type: 'boolean', help: 'delete the stored copies of excluded files instead, from every checkpoint' },
    'dry-run': { type: 'boolean', help: 'list what would be deleted; delete nothing' },
    yes: { type: 'boolean', help: 'do not ask' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const dryRun = values['dry-run'] === true
    const never = values.never === true
    if (never && !dryRun && !values.yes && !(await isConfirmed(context))) return 3
    const answer = await context.call('gc.run', { workspace, dryRun, never })
    const { output } = context
    output.document(answer)
    const { pruned, checkpoints } = answer
    const moreLine = (list: readonly unknown[]): string[] =>
      list.length > SHOWN ? [`  and ${list.length - SHOWN} more`] : []
    output.lines([
      `${dryRun ? 'Would free' : 'Freed'} ${formatBytes(answer.freedBytes)}: ${answer.versions === 0 ? 'nothing' : plural(answer.versions, never ? 'stored version' : 'older version')} ${dryRun ? 'would be deleted' : 'deleted'}. History ${dryRun ? 'would use' : 'uses'} ${formatBytes(answer.historyBytes)} of ${formatBytes(answer.budget)}.`,
      ...(answer.note === '' ? [] : [output.paint('yellow', escapeLine(answer.note))]),
      ...pruned.slice(0, SHOWN).map((line) => `  ${escapeLine(line)}`),
      ...moreLine(pruned),
      ...(checkpoints.length === 0
        ? []
        : [
            `${plural(checkpoints.length, 'checkpoint')} ${dryRun ? 'could' : 'can'} no longer be restored completely:`
          ]),
      ...columns(
        checkpoints
          .slice(0, SHOWN)
          .map((checkpoint) => [
            `  ${checkpoint.id}`,
            checkpoint.reason,
            formatTime(checkpoint.at, context.now()),
            escapeLine(checkpoint.label)
          ])
      ),
      ...moreLine(checkpoints)
    ])
    return 0
  }
})
