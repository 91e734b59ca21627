/** `driftline drift`: lists outside changes, accepts them, or restores the recorded versions. */
import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { usage } from '../arguments.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { planAndApplyResolving, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'
import { driftLines } from './status.ts'

const SHAPE = {
  name: 'drift',
  usage: ['', 'accept ID [PATH…]', `restore ID [PATH…] ${RESOLUTION_USAGE}`]
}

export const drift = command({
  ...SHAPE,
  summary: 'list outside changes, accept them, or restore the recorded versions',
  options: RESOLUTION_OPTIONS,
  positionals: [0, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const [verb, id, ...paths] = positionals
    if (verb === undefined) return list(context)
    if (verb !== 'accept' && verb !== 'restore') {
      throw new DriftlineError('Usage', `\`driftline drift\` takes accept or restore, not "${verb}".`)
    }
    if (id === undefined) throw usage(SHAPE, `\`driftline drift ${verb}\` needs the ID of an outside change.`)
    const within = await context.paths(paths)
    if (verb === 'accept') return accept(context, id, within)
    return planAndApplyResolving(context, { kind: 'drift', drift: id, ...(within ? { paths: within } : {}) }, values)
  }
})

async function list(context: Context): Promise<number> {
  const workspace = (await context.workspace()).id
  const answer = await context.call('drift.list', { workspace, check: true })
  context.output.document(answer)
  const lines = driftLines(answer.drift, context.output.paint, context.now())
  context.output.lines(lines.length > 0 ? lines : ['No outside changes.'])
  return 0
}

async function accept(context: Context, id: string, paths: readonly string[] | undefined): Promise<number> {
  const workspace = (await context.workspace()).id
  const { drift } = await context.call('drift.accept', { workspace, drift: id, ...(paths ? { paths } : {}) })
  context.output.document({ drift: [drift] })
  if (drift.state === 'open') {
    context.output.lines([`Accepted. ${plural(drift.count, 'outside change')} still to decide.`])
    return 0
  }
  context.output.lines([`Accepted ${plural(drift.count, 'outside change')}.`])
  return 0
}
