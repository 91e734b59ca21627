/** `driftline help` and `--help`, generated from the table of commands. */
import { DriftlineError } from '../../contract/errors.ts'
import { GLOBAL_OPTIONS } from './arguments.ts'
import { columns } from './columns.ts'
import { type Command, command, type Options } from './command.ts'
import type { Output } from './output.ts'

/** Takes the table as a function, because the table contains this command. */
export function helpCommand(table: () => readonly Command[]): Command {
  return command({
    name: 'help',
    usage: ['[COMMAND]'],
    summary: 'show all commands, or the options of one',
    positionals: [0, 1],
    onlyHere: true,
    run: async ({ output }, { positionals: [name] }) => {
      const found = table().find((command) => command.name === name)
      if (name !== undefined && !found) throw new DriftlineError('Usage', `Unknown command "${name}".`)
      return found ? printManual(found, output) : printOverview(table(), output)
    }
  })
}

const documentOf = ({ name, usage, summary }: Command) => ({ name, usage, summary })

/** All commands, one line each. */
export function printOverview(commands: readonly Command[], output: Output): number {
  const rows = commands.map(({ name, summary }) => [name, summary])
  return output.print({ commands: commands.map(documentOf) }, [
    'driftline: the undo timeline for coding agents. Review and undo any change in a recorded folder.',
    '',
    'Usage: driftline COMMAND [OPTIONS] [ARGS]',
    '',
    ...columns(rows, '  '),
    '',
    ...GLOBAL_LINES,
    '',
    'Targets: cp_… a checkpoint · run_… or turn_…, optionally with :start or :end · rst_… the position before a restore · seq:N · latest · green, where tests passed last',
    'Ids may be shortened to a unique prefix. `driftline help COMMAND` shows the options of a command.'
  ])
}

/** Usage, summary and options of one command. */
export function printManual(command: Command, output: Output): number {
  const options = optionLines(command.options)
  return output.print(documentOf(command), [
    ...command.usage.map((form, i) => `${i === 0 ? 'Usage:' : '      '} driftline ${command.name} ${form}`.trimEnd()),
    '',
    command.summary,
    ...(options.length > 0 ? ['', 'Options:', ...options] : []),
    '',
    ...(command.onlyHere ? LINES_ONLY_HERE : GLOBAL_LINES)
  ])
}

function optionLines(options: Options): readonly string[] {
  const rows = Object.entries(options).map(([name, { short, value, help }]) => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    help
  ])
  return columns(rows, '  ')
}

const globalLines = (options: Options): readonly string[] => ['Options for every command:', ...optionLines(options)]
const GLOBAL_LINES = globalLines(GLOBAL_OPTIONS)
/** Without `--host`, which a command about this computer refuses. */
const LINES_ONLY_HERE = globalLines(
  Object.fromEntries(Object.entries(GLOBAL_OPTIONS).filter(([name]) => name !== 'host'))
)
