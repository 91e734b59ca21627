/** `driftline checkpoint` pins the present; `driftline checkpoints` lists what can be restored. */
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { count, when } from '../words.ts'

export const checkpoint = command({
  name: 'checkpoint',
  usage: ['[-m LABEL]'],
  summary: 'pin the folder as it is now',
  options: { message: { type: 'string', short: 'm', value: 'LABEL', help: 'what to call it' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const made = await context.call('checkpoint.create', { workspace, label: values.message ?? '' })
    context.output.document(made)
    context.output.lines([`Pinned ${made.checkpoint}. \`driftline restore ${made.checkpoint}\` comes back here.`])
    return 0
  }
})

export const checkpoints = command({
  name: 'checkpoints',
  usage: ['[--run RUN] [--session S] [--all]'],
  summary: 'list the points that can be restored',
  options: {
    run: { type: 'string', value: 'RUN', help: 'only those of this run' },
    session: { type: 'string', value: 'S', help: 'only those of this session' },
    all: { type: 'boolean', help: 'also those that cannot be restored, with the reason' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const answer = await context.call('checkpoint.list', { workspace, ...values })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.checkpoints.length === 0
        ? ['No checkpoints.']
        : columns(
            answer.checkpoints.map((one) => [
              when(one.at, context.now()),
              one.reason.replaceAll('_', ' '),
              output.paint('dim', escapeLine(one.id)),
              `seq:${one.seq}`,
              count(one.files, 'path'),
              [one.status === 'available' ? '' : one.status, escapeLine(one.label), escapeLine(one.why)]
                .filter((part) => part !== '')
                .join(' · ')
            ])
          )
    )
    return 0
  }
})
