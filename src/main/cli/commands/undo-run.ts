/** `driftline undo-run`: takes back one run's own edits and nobody else's. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { Act } from '../../../contract/restore.ts'
import { ACT_OPTIONS, carryOut } from '../act.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'

const ON_CONFLICT = ['fail', 'keep', 'replace', 'merge'] as const

export const undoRun = command({
  name: 'undo-run',
  usage: [
    'RUN [PATH…] [--hunk PATH:N]… [--on-conflict fail|keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--while-live]'
  ],
  summary: "take back one run's edits and nobody else's",
  options: {
    hunk: {
      type: 'string',
      multiple: true,
      value: 'PATH:N',
      help: 'only this change, counted in `diff RUN PATH` from 1'
    },
    'on-conflict': {
      type: 'string',
      value: 'HOW',
      help: 'fail (default), keep, replace or merge where others changed the same place'
    },
    ...ACT_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const onConflict = choiceOf(values['on-conflict'])
    const paths = await context.paths(positionals.slice(1))
    const hunks = values.hunk ? await hunksOf(context, values.hunk) : null
    const act: Act = {
      kind: 'undo-run',
      run: positionals[0]!,
      onConflict,
      ...(paths ? { paths } : {}),
      ...(hunks ? { hunks } : {})
    }
    return carryOut(context, act, values)
  }
})

function choiceOf(text: string | undefined): (typeof ON_CONFLICT)[number] {
  if (text === undefined) return 'fail'
  const choice = ON_CONFLICT.find((one) => one === text)
  if (!choice) throw new DriftlineError('Usage', `--on-conflict takes fail, keep, replace or merge, not "${text}".`)
  return choice
}

/** `PATH:N` split at the last colon. */
async function hunksOf(context: Context, wanted: readonly string[]): Promise<Record<string, number[]>> {
  const hunks: Record<string, number[]> = {}
  for (const text of wanted) {
    const [, name, number] = /^(.+):([1-9]\d{0,5})$/s.exec(text) ?? []
    if (!name || !number)
      throw new DriftlineError('Usage', `--hunk takes PATH:N with N from 1, not "${text}". Nothing was changed.`)
    const path = await context.path(name)
    hunks[path] = [...(hunks[path] ?? []), Number(number)]
  }
  return hunks
}
