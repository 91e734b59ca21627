/** `driftline restore`: back to what was recorded at a target. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { Act, RestoreMode } from '../../../contract/restore.ts'
import { ACT_OPTIONS, carryOut } from '../act.ts'
import { command } from '../command.ts'

export const restore = command({
  name: 'restore',
  usage: [
    'TARGET [PATH…] [--mode files|conversation|both] [--outside keep|replace] [--dry-run] [--yes] [--plan HASH] [--while-live]'
  ],
  summary: 'restore to here: what was recorded at a target',
  options: {
    mode: {
      type: 'string',
      value: 'MODE',
      help: 'files, conversation or both (default: both where an agent was talked with and no PATH is named, else files)'
    },
    outside: { type: 'string', value: 'HOW', help: 'keep (default) or replace what was changed outside since' },
    ...ACT_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const mode = modeOf(values.mode)
    const outside = outsideOf(values.outside)
    const paths = await context.paths(positionals.slice(1))
    const act: Act = {
      kind: 'restore',
      target: positionals[0]!,
      ...(paths ? { paths } : {}),
      ...(outside ? { outside } : {}),
      ...(mode ? { mode } : {})
    }
    return carryOut(context, act, values)
  }
})

function modeOf(text: string | undefined): RestoreMode | undefined {
  if (text === undefined || text === 'files' || text === 'conversation' || text === 'both') return text
  throw new DriftlineError('Usage', `--mode takes files, conversation or both, not "${text}".`)
}

function outsideOf(text: string | undefined): 'keep' | 'replace' | undefined {
  if (text === undefined || text === 'keep' || text === 'replace') return text
  throw new DriftlineError('Usage', `--outside takes keep or replace, not "${text}".`)
}
