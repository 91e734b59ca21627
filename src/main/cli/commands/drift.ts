/** `driftline drift`: what was changed outside, keeping it, or putting the recorded state back. */
import { DriftlineError } from '../../../contract/errors.ts'
import { carryOutStep, STEP_OPTIONS, STEP_USAGE } from '../act.ts'
import { usage } from '../arguments.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { count } from '../words.ts'
import { driftLines } from './status.ts'

const SHAPE = {
  name: 'drift',
  usage: ['', 'accept ID [PATH…]', `restore ID [PATH…] ${STEP_USAGE}`]
}

export const drift = command({
  ...SHAPE,
  summary: 'list, accept or put back what was changed outside',
  options: STEP_OPTIONS,
  positionals: [0, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const [verb, id, ...paths] = positionals
    if (verb === undefined) return list(context)
    if (verb !== 'accept' && verb !== 'restore') {
      throw new DriftlineError('Usage', `\`driftline drift\` takes accept or restore, not "${verb}".`)
    }
    if (id === undefined) throw usage(SHAPE, `\`driftline drift ${verb}\` needs the id of an outside change.`)
    const inside = await context.paths(paths)
    if (verb === 'accept') return accept(context, id, inside)
    return carryOutStep(context, { kind: 'drift', drift: id, ...(inside ? { paths: inside } : {}) }, values)
  }
})

async function list(context: Context): Promise<number> {
  const workspace = (await context.workspace()).id
  const answer = await context.call('drift.list', { workspace, check: true })
  context.output.document(answer)
  const lines = driftLines(answer.drift, context.output.paint, context.now())
  context.output.lines(lines.length > 0 ? lines : ['Nothing was changed outside.'])
  return 0
}

async function accept(context: Context, id: string, paths: readonly string[] | undefined): Promise<number> {
  const workspace = (await context.workspace()).id
  const { drift } = await context.call('drift.accept', { workspace, drift: id, ...(paths ? { paths } : {}) })
  context.output.document({ drift: [drift] })
  if (drift.state === 'open') {
    context.output.lines([`Accepted. ${count(drift.count, 'file')} changed outside wait for a decision.`])
    return 0
  }
  context.output.lines([`Accepted: ${count(drift.count, 'file')} changed outside stay as they are.`])
  return 0
}
