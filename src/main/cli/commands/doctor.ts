/** `driftline doctor`: checks that what was recorded can be read back, and that connected agents are heard. */
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { count } from '../words.ts'

export const doctor = command({
  name: 'doctor',
  usage: ['[--quick]'],
  summary: 'check that everything recorded can be read back, and the hooks of connected agents',
  options: { quick: { type: 'boolean', help: 'check the records only, do not read all content' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const { ok, problems } = await context.call('doctor.run', { deep: values.quick !== true })
    const { output } = context
    output.document({ ok, problems })
    output.lines(
      ok
        ? ['Everything recorded can be read back.']
        : [
            `${count(problems.length, 'problem')}:`,
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
    return ok ? 0 : 1
  }
})
