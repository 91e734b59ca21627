/** `driftline doctor`: checks that what was recorded can be read back. */
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { count } from '../words.ts'

export const doctor = command({
  name: 'doctor',
  usage: ['[--deep]'],
  summary: 'check that everything recorded can be read back',
  options: { deep: { type: 'boolean', help: 'read and verify all content, not only the records' } },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const { ok, problems } = await context.call('doctor.run', values.deep === true ? { deep: true } : {})
    const { output } = context
    output.document({ ok, problems })
    output.lines(
      ok
        ? ['Everything recorded can be read back.']
        : [
            `${count(problems.length, 'problem')}:`,
            ...problems.map(
              (one) =>
                `  ${output.paint('red', escapeLine(one.code))} ${escapeLine(one.workspace)} ${escapeLine(one.message)}`
            )
          ]
    )
    return ok ? 0 : 1
  }
})
