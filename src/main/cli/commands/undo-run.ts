/** `driftline undo-run`: takes back one run's own edits and nobody else's. */
import type { Act } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { ACT_OPTIONS, carryOut } from '../act.ts'
import { command } from '../command.ts'

const ON_CONFLICT = ['fail', 'keep', 'replace', 'merge'] as const

export const undoRun = command({
  name: 'undo-run',
  usage: ['RUN [PATH…] [--on-conflict fail|keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--while-live]'],
  summary: "take back one run's edits and nobody else's",
  options: {
    hunk: { type: 'string', multiple: true, value: 'PATH:N', help: 'only this hunk of the run (not available yet)' },
    'on-conflict': {
      type: 'string',
      value: 'HOW',
      help: 'fail (default), keep, replace or merge where others changed the same place'
    },
    ...ACT_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    if (values.hunk) {
      throw new DriftlineError(
        'Usage',
        '--hunk is not available in this version. Nothing was changed; name the PATH to take back the whole file.'
      )
    }
    const onConflict = choiceOf(values['on-conflict'])
    const paths = await context.paths(positionals.slice(1))
    const act: Act = { kind: 'undo-run', run: positionals[0]!, onConflict, ...(paths ? { paths } : {}) }
    return carryOut(context, act, values)
  }
})

function choiceOf(text: string | undefined): (typeof ON_CONFLICT)[number] {
  if (text === undefined) return 'fail'
  const choice = ON_CONFLICT.find((one) => one === text)
  if (!choice) throw new DriftlineError('Usage', `--on-conflict takes fail, keep, replace or merge, not "${text}".`)
  return choice
}
