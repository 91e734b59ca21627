/** `driftline checkpoint` pins the current versions; `driftline checkpoints` lists the checkpoints. */

import { plural } from '../../../contract/words/numbers.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'

export const checkpoint = command({
  name: 'checkpoint',
  usage: ['[-m LABEL]'],
  summary: 'pin the current versions of all files',
  options: { message: { type: 'string', short: 'm', value: 'LABEL', help: 'name of the pin' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    const made = await context.call('checkpoint.create', { workspace, label: values.message ?? '' })
    context.output.document(made)
    context.output.lines([`Pinned ${made.checkpoint}. \`driftline restore ${made.checkpoint}\` restores it.`])
    return 0
  }
})

export const checkpoints = command({
  name: 'checkpoints',
  usage: ['[--run RUN] [--session S] [--all]'],
  summary: 'list the checkpoints that can be restored',
  options: {
    run: { type: 'string', value: 'RUN', help: 'only checkpoints of this run' },
    session: { type: 'string', value: 'S', help: 'only checkpoints of this session' },
    all: { type: 'boolean', help: 'include checkpoints that cannot be restored, with the reason' }
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
            answer.checkpoints.map((entry) => [
              formatTime(entry.at, context.now()),
              entry.reason.replaceAll('_', ' '),
              output.paint('dim', escapeLine(entry.id)),
              `seq:${entry.seq}`,
              plural(entry.files, 'path'),
              [entry.status === 'available' ? '' : entry.status, escapeLine(entry.label), escapeLine(entry.why)]
                .filter((part) => part !== '')
                .join(' · ')
            ])
          )
    )
    return 0
  }
})
