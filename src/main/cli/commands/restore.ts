/** `driftline restore`: back to what was recorded at a target. */
import type { Act } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { ACT_OPTIONS, carryOut } from '../act.ts'
import { command } from '../command.ts'

export const restore = command({
  name: 'restore',
  usage: [
    'TARGET [PATH…] [--mode files|conversation|both] [--outside keep|replace] [--dry-run] [--yes] [--plan HASH] [--while-live]'
  ],
  summary: 'restore to here: what was recorded at a target',
  options: {
    mode: { type: 'string', value: 'MODE', help: 'files, conversation or both' },
    outside: { type: 'string', value: 'HOW', help: 'keep (default) or replace what was changed outside since' },
    ...ACT_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const warnings = modeWarnings(values.mode)
    const outside = outsideOf(values.outside)
    const paths = await context.paths(positionals.slice(1))
    const act: Act = {
      kind: 'restore',
      target: positionals[0]!,
      ...(paths ? { paths } : {}),
      ...(outside ? { outside } : {})
    }
    return carryOut(context, act, values, warnings)
  }
})

/** Conversations are not restored by this version: asked for alone that is a refusal, beside files a warning. */
function modeWarnings(mode: string | undefined): readonly string[] {
  switch (mode) {
    case undefined:
    case 'files':
      return []
    case 'both':
      return ['Only files are restored: this version does not take conversations back.']
    case 'conversation':
      throw new DriftlineError(
        'Refused',
        'This version does not take conversations back. Nothing was changed; --mode files restores the files.'
      )
    default:
      throw new DriftlineError('Usage', `--mode takes files, conversation or both, not "${mode}".`)
  }
}

function outsideOf(text: string | undefined): 'keep' | 'replace' | undefined {
  if (text === undefined || text === 'keep' || text === 'replace') return text
  throw new DriftlineError('Usage', `--outside takes keep or replace, not "${text}".`)
}
