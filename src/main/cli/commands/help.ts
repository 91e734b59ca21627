/** `driftline help`: the same words as `--help`. */
import { DriftlineError } from '../../../contract/errors.ts'
import { type Command, command } from '../command.ts'
import { manual, overview } from '../usage-text.ts'

/** The table is handed in, because this command is itself part of it. */
export function helpCommand(table: () => readonly Command[]): Command {
  return command({
    name: 'help',
    usage: ['[COMMAND]'],
    summary: 'show all commands, or one in full',
    options: {},
    positionals: [0, 1],
    run: async ({ output }, { positionals }) => {
      const name = positionals[0]
      const one = table().find((command) => command.name === name)
      if (name !== undefined && !one) throw new DriftlineError('Usage', `There is no command "${name}".`)
      output.document(
        one
          ? { name: one.name, usage: one.usage, summary: one.summary }
          : { commands: table().map(({ name, usage, summary }) => ({ name, usage, summary })) }
      )
      output.lines(one ? manual(one) : overview(table()))
      return 0
    }
  })
}
