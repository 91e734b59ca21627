/** The words of `--help`, made from the table of commands. */
import { GLOBAL_OPTIONS } from './arguments.ts'
import { columns } from './columns.ts'
import type { Command, Options } from './command.ts'

/** All commands, one line each. */
export function overview(commands: readonly Command[]): readonly string[] {
  return [
    'driftline: the undo timeline for coding agents. Every change in a recorded folder can be reviewed and taken back.',
    '',
    'Usage: driftline COMMAND [OPTIONS] [WORDS]',
    '',
    ...columns(
      commands.map((command) => [command.name, command.summary]),
      [],
      '  '
    ),
    '',
    'Options of every command:',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    'Targets: cp_… a checkpoint · run_… and turn_…, also with :start or :end · rst_… before a restore · seq:N · latest',
    'Ids may be shortened. `driftline help COMMAND` shows one command in full.'
  ]
}

/** One command in full. */
export function manual(command: Command): readonly string[] {
  const options = optionLines(command.options)
  return [
    ...command.usage.map((form, i) => `${i === 0 ? 'Usage:' : '      '} driftline ${command.name} ${form}`.trimEnd()),
    '',
    command.summary,
    ...(options.length > 0 ? ['', 'Options:', ...options] : []),
    '',
    'Options of every command:',
    ...optionLines(GLOBAL_OPTIONS)
  ]
}

function optionLines(options: Options): readonly string[] {
  return columns(
    Object.entries(options).map(([name, option]) => [
      `${option.short ? `-${option.short}, ` : ''}--${name}${option.value ? ` ${option.value}` : ''}`,
      option.help
    ]),
    [],
    '  '
  )
}
