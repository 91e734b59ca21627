/**
 * `driftline diff`: a patch that `git apply` applies forwards and backwards. In a pipe its bytes are exact; on a terminal it
 * is coloured, escaped and decoded to readable text.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'
import { escapeText } from '../escape.ts'
import { paintPatch } from '../patch-text.ts'

const SCOPES = ['run', 'checkpoint', 'turn'] as const

export const diff = command({
  name: 'diff',
  usage: ['TARGET [--scope run|checkpoint|turn] [--to TARGET] [PATH…]'],
  summary: 'show what changed, as a patch',
  options: {
    scope: { type: 'string', value: 'SCOPE', help: 'run, checkpoint or turn' },
    to: { type: 'string', value: 'TARGET', help: 'compare with this target; "now" is the folder on disk' }
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const scope = scopeOf(values.scope)
    const workspace = (await context.workspace()).id
    const paths = await context.paths(positionals.slice(1))
    const { output } = context
    const forReading = output.isTerminal && !output.json
    const answer = await context.call('diff.patch', {
      workspace,
      target: positionals[0]!,
      ...(scope ? { scope } : {}),
      ...(values.to === undefined ? {} : { to: values.to }),
      ...(paths ? { paths } : {}),
      ...(forReading ? { use: 'reading' } : {})
    })
    output.document(answer)
    if (output.json) return 0
    if (answer.warning) output.note(output.paintNote('yellow', escapeText(answer.warning)))
    if (answer.files.length === 0 && output.isTerminal) output.note('No changes.')
    output.write(forReading ? paintPatch(answer.patch, output.paint) : answer.patch)
    return 0
  }
})

function scopeOf(text: string | undefined): (typeof SCOPES)[number] | undefined {
  if (text === undefined) return undefined
  const scope = SCOPES.find((known) => known === text)
  if (!scope) throw new DriftlineError('Usage', `--scope takes run, checkpoint or turn, not "${text}".`)
  return scope
}
