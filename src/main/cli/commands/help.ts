/** `driftline help`: the same text as `--help`. */
import { DriftlineError } from '../../../contract/errors.ts'
import { type Command, command } from '../command.ts'
import { manual, overview } from '../usage-text.ts'

/** Takes the table as a function, because this command is itself part of it. */
export function helpCommand(table: () => readonly Command[]): Command {
  return command({
    name: 'help',
    usage: ['[COMMAND]'],
    summary: 'show all commands, or the options of one',
    options: {},
    positionals: [0, 1],
    run: async ({ output }, { positionals }) => {
      const name = positionals[0]
      const found = table().find((command) => command.name === name)
      if (name !== undefined && !found) throw new DriftlineError('Usage', `Unknown command "${name}".`)
      output.document(
        found
          ? { name: found.name, usage: found.usage, summary: found.summary }
          : { commands: table().map(({ name, usage, summary }) => ({ name, usage, summary })) }
      )
      output.lines(found ? manual(found) : overview(table()))
      return 0
    }
  })
}
