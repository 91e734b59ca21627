/** `driftline worktrees`: the recorded worktrees of a repository, and the restore of removed ones. */
import { DriftlineError } from '../../../contract/errors.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { removedWorktreeText } from '../../../contract/words/worktrees.ts'
import type { RecordedWorktree } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { planAndApply, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'

export const worktrees = command({
  name: 'worktrees',
  usage: ['', 'on|off', `restore NAME [PATH…] [--into main] ${RESOLUTION_USAGE}`],
  summary: 'list the recorded worktrees of the repository, record new ones automatically, restore removed ones',
  options: {
    into: {
      type: 'string',
      value: 'WHERE',
      choices: ['place', 'main'],
      help: 'place (default): the whole worktree, where it was; main: the files that are nowhere else, into the main folder'
    },
    ...RESOLUTION_OPTIONS
  },
  positionals: [0, 1000],
  run: async (context, { values, positionals: [verb, name, ...typed] }) => {
    if (verb === undefined) return list(context)
    if ((verb === 'on' || verb === 'off') && name === undefined) return setMode(context, verb)
    if (verb !== 'restore' || name === undefined)
      throw new DriftlineError(
        'Usage',
        'Name the worktree to restore: driftline worktrees restore NAME. Nothing was changed.',
        {}
      )
    const worktree = await find(context, name)
    const paths = typed.length === 0 ? undefined : typed
    if (values.into === 'main') {
      const request = { kind: 'worktree', worktree: worktree.id, paths } as const
      return planAndApply(context, request, values, values['on-conflict'])
    }
    const request = { kind: 'restore', target: worktree.target, paths, outside: 'replace' } as const
    context.choose(worktree)
    return planAndApply(context, request, values, values['on-conflict'])
  }
})

async function find({ ask }: Context, name: string): Promise<RecordedWorktree> {
  const { worktrees: all } = await ask('worktrees.list', {})
  const found = all.filter((each) => each.removedAt !== null && (each.worktree === name || each.root === name))
  const [newest] = found.sort((a, b) => (b.removedAt ?? 0) - (a.removedAt ?? 0))
  if (newest) return newest
  throw new DriftlineError(
    'UnknownTarget',
    `"${name}" is not a removed worktree. Nothing was changed. \`driftline worktrees\` lists them.`,
    { name }
  )
}

async function setMode({ call, workspace, output }: Context, mode: 'on' | 'off'): Promise<number> {
  const { id, root } = await workspace()
  await call('settings.set', { key: `git.worktrees/${id}`, value: mode })
  const recorded = mode === 'on' ? 'are recorded automatically' : 'are not recorded automatically'
  return output.print({ mode }, [`Worktrees of ${escapeLine(root)} ${recorded} from now on.`])
}

async function list({ ask, output }: Context): Promise<number> {
  const answer = await ask('worktrees.list', {})
  const { worktrees: all, mode } = answer
  const present = all.filter(({ removedAt }) => removedAt === null)
  const removed = all.filter(({ removedAt }) => removedAt !== null)
  return output.print(answer, [
    ...(present.length === 0 ? ['No worktree of this folder is recorded.'] : []),
    ...columns(present.map(({ worktree, branch, root }) => [worktree, branch, root].map(escapeLine))),
    ...removed.map((each) => `${formatTime(each.removedAt ?? 0)}  ${escapeLine(removedWorktreeText(each))}`),
    ...(removed.length === 0
      ? []
      : ['', '`driftline worktrees restore NAME` restores one where it was, with `--into main` into the main folder.']),
    ...(mode === 'on' ? [] : ['', '`driftline worktrees on` records new ones automatically.'])
  ])
}
