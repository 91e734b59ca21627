/** `driftline undo-run`: undoes the edits of one run and no others. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { APPLY_OPTIONS, planAndApply } from '../plan-and-apply.ts'

const ON_CONFLICT = ['fail', 'keep', 'replace', 'merge'] as const

export const undoRun = command({
  name: 'undo-run',
  usage: [
    'RUN [PATH…] [--hunk PATH:N]… [--on-conflict fail|keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--while-live]'
  ],
  summary: 'undo the edits of one run and no others',
  options: {
    hunk: {
      type: 'string',
      multiple: true,
      value: 'PATH:N',
      help: 'only this hunk, counted from 1 in `diff RUN PATH`'
    },
    'on-conflict': {
      type: 'string',
      value: 'HOW',
      help: 'fail (default), keep, replace or merge where later edits changed the same lines'
    },
    ...APPLY_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const onConflict = conflictRule(values['on-conflict'])
    const paths = await context.paths(positionals.slice(1))
    const hunks = values.hunk ? await hunksOf(context, values.hunk) : null
    const request: RestoreRequest = {
      kind: 'undo-run',
      run: positionals[0]!,
      onConflict,
      ...(paths ? { paths } : {}),
      ...(hunks ? { hunks } : {})
    }
    return planAndApply(context, request, values)
  }
})

function conflictRule(text: string | undefined): (typeof ON_CONFLICT)[number] {
  if (text === undefined) return 'fail'
  const choice = ON_CONFLICT.find((known) => known === text)
  if (!choice) throw new DriftlineError('Usage', `--on-conflict takes fail, keep, replace or merge, not "${text}".`)
  return choice
}

/** Hunk numbers by path. `PATH:N` is split at the last colon, because a path may contain colons. */
async function hunksOf(context: Context, values: readonly string[]): Promise<Record<string, number[]>> {
  const hunks: Record<string, number[]> = {}
  for (const text of values) {
    const [, name, number] = /^(.+):([1-9]\d{0,5})$/s.exec(text) ?? []
    if (!name || !number)
      throw new DriftlineError('Usage', `--hunk takes PATH:N with N from 1, not "${text}". Nothing was changed.`)
    const path = await context.path(name)
    hunks[path] = [...(hunks[path] ?? []), Number(number)]
  }
  return hunks
}
