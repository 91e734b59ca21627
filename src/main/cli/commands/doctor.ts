/** `driftline doctor`: verifies the recorded history and the connections of agents. */

import { plural } from '../../../contract/words/numbers.ts'
import { logFileOf } from '../../host/data-dir.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'

export const doctor = command({
  name: 'doctor',
  usage: ['[--quick]'],
  summary: 'verify the recorded history and the hooks of connected agents',
  options: { quick: { type: 'boolean', help: 'check the records only, without reading all contents' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const { ok, problems } = await context.call('doctor.run', { deep: values.quick !== true })
    const { output } = context
    output.document({ ok, problems })
    output.lines(
      ok
        ? ['No problems: the recorded history is complete and readable.']
        : [
            `${plural(problems.length, 'problem')}:`,
            ...problems.map((problem) =>
              [
                `  ${output.paint('red', escapeLine(problem.code))}`,
                escapeLine(problem.workspace),
                escapeLine(problem.message)
              ]
                .filter((part) => part !== '')
                .join(' ')
            )
          ]
    )
    output.lines([`The recorder’s log: ${escapeLine(logFileOf(context.dataDir))}`])
    return ok ? 0 : 1
  }
})
