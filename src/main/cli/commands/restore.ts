/** `driftline restore`: writes the versions recorded at a target. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoreMode, RestoreRequest } from '../../../contract/restore.ts'
import { command } from '../command.ts'
import { APPLY_OPTIONS, planAndApply } from '../plan-and-apply.ts'

export const restore = command({
  name: 'restore',
  usage: [
    'TARGET [PATH…] [--mode files|conversation|both] [--outside keep|replace] [--dry-run] [--yes] [--plan HASH] [--while-live]'
  ],
  summary: 'restore files, conversation or both to a target',
  options: {
    mode: {
      type: 'string',
      value: 'MODE',
      help: 'files, conversation or both (default: both if the target has a conversation and no PATH is given, else files)'
    },
    outside: { type: 'string', value: 'HOW', help: 'keep (default) or replace files changed outside since' },
    ...APPLY_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const mode = modeOf(values.mode)
    const outside = outsideOf(values.outside)
    const paths = await context.paths(positionals.slice(1))
    const request: RestoreRequest = {
      kind: 'restore',
      target: positionals[0]!,
      ...(paths ? { paths } : {}),
      ...(outside ? { outside } : {}),
      ...(mode ? { mode } : {})
    }
    return planAndApply(context, request, values)
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
