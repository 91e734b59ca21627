/** The text of `--help`, generated from the table of commands. */
import { GLOBAL_OPTIONS } from './arguments.ts'
import { columns } from './columns.ts'
import type { Command, Options } from './command.ts'

/** All commands, one line each. */
export function overview(commands: readonly Command[]): readonly string[] {
  return [
    'driftline: the undo timeline for coding agents. Review and undo any change in a recorded folder.',
    '',
    'Usage: driftline COMMAND [OPTIONS] [ARGS]',
    '',
    ...columns(
      commands.map((command) => [command.name, command.summary]),
      [],
      '  '
    ),
    '',
    'Options for every command:',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    'Targets: cp_… a checkpoint · run_… or turn_…, optionally with :start or :end · rst_… the point before a restore · seq:N · latest',
    'Ids may be shortened to a unique prefix. `driftline help COMMAND` shows the options of a command.'
  ]
}

/** Usage, summary and options of one command. */
export function manual(command: Command): readonly string[] {
  const options = optionLines(command.options)
  return [
    ...command.usage.map((form, i) => `${i === 0 ? 'Usage:' : '      '} driftline ${command.name} ${form}`.trimEnd()),
    '',
    command.summary,
    ...(options.length > 0 ? ['', 'Options:', ...options] : []),
    '',
    'Options for every command:',
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
