/** `driftline git`: what the repository lost, and its restore. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoredGitItem } from '../../../contract/git.ts'
import { lostCells, notKeptTexts, replacedTexts, restoredGitText, undoneGitText } from '../../../contract/words/git.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command, YES } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'

export const git = command({
  name: 'git',
  usage: ['', 'restore NAME… [--as NEW] [--dry-run] [--yes]', 'restore --all [--dry-run] [--yes]', 'undo'],
  summary: 'list lost branches, tags, stashes and commits of git, and restore them',
  options: {
    as: { type: 'string', value: 'NEW', help: 'restore the one item as a branch of this name' },
    all: { type: 'boolean', help: 'restore every listed branch, tag and stash, or the repository' },
    'dry-run': { type: 'boolean', help: 'list what would be written; write nothing' },
    yes: YES
  },
  positionals: [0, 1000],
  run: async (context, { values, positionals }) => {
    const [verb, ...names] = positionals
    if (verb === undefined) return listLost(context)
    if (verb === 'undo' && names.length === 0) return undo(context)
    const all = values.all === true
    if (verb !== 'restore' || all === names.length > 0)
      throw new DriftlineError(
        'Usage',
        'Name what to restore, or use --all: driftline git restore NAME. Nothing was changed.',
        {}
      )
    const request = { names, all, ...(values.as === undefined ? {} : { as: values.as }) }
    const { items } = await context.ask('git.restore', { ...request, dryRun: true })
    if (values['dry-run'] === true || items.length === 0) return printItems(context, items)
    if (values.yes !== true && !(await isConfirmed(context, items))) return 3
    const done = await context.ask('git.restore', { ...request, dryRun: false })
    printItems(context, done.items)
    if (done.more) context.output.note('More was lost than these. The same command again restores the rest.')
    const failed = done.items.filter(({ result }) => result === 'failed').length
    return failed === 0 ? 0 : failed < done.items.length ? 4 : 3
  }
})

async function isConfirmed(context: Context, items: readonly RestoredGitItem[]): Promise<boolean> {
  if (!canAsk(context.output)) {
    printItems(context, items)
    context.output.note('Nothing was written. Add --yes to restore.')
    return false
  }
  for (const item of items) context.output.note(escapeLine(restoredGitText(item)))
  await context.output.flush()
  return confirm('Restore?')
}

/** Of everything: commits, and a repository that another one replaced, are restored only by name. */
const NOTHING_TO_RESTORE = 'No branch, tag or stash is lost. `driftline git` lists what else is restored by its name.'

function printItems({ output }: Context, items: readonly RestoredGitItem[]): number {
  const lines = items.map((item) => escapeLine(restoredGitText(item)))
  return output.print({ git: items }, lines.length === 0 ? [NOTHING_TO_RESTORE] : lines)
}

async function undo({ ask, output }: Context): Promise<number> {
  const { items } = await ask('git.undo', {})
  return output.print(
    { git: items },
    items.map((item) => escapeLine(undoneGitText(item)))
  )
}

async function listLost({ ask, output }: Context): Promise<number> {
  const answer = await ask('git.lost', {})
  const { repository, lost } = answer
  const rows = lost.map((item) => [
    formatTime(item.lostAt),
    ...lostCells(item).map(escapeLine),
    escapeLine(item.run ?? '')
  ])
  const hasNone = repository === 'none' && answer.below.length === 0
  const nothing = hasNone ? 'This folder has no git repository.' : 'Git lost nothing that is kept here.'
  return output.print(answer, [
    ...(rows.length === 0 ? [nothing] : columns(rows)),
    ...(lost.some(({ kind }) => kind !== 'operation') ? ['', '`driftline git restore NAME` restores one.'] : []),
    ...replacedTexts(answer).map(escapeLine),
    ...notKeptTexts(answer)
  ])
}
