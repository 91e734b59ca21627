/**
 * Command line parsing. Global options may come before or after the command, `--` ends all options, and every mistake
 * is a `Usage` error with the forms of the command.
 */
import { parseArgs } from 'node:util'
import { DriftlineError } from '../../contract/errors.ts'
import { listAll } from '../../contract/words/text.ts'
import type { Arguments, Command, Options } from './command.ts'

export const GLOBAL_OPTIONS: Options = {
  json: { type: 'boolean', help: 'print one JSON document on stdout, nothing else' },
  data: { type: 'string', value: 'DIR', help: 'data folder (also DRIFTLINE_DATA)' },
  folder: {
    type: 'string',
    value: 'DIR',
    help: 'recorded folder (default: the one that contains the current folder)'
  },
  host: { type: 'string', value: 'NAME', help: 'on another machine; `driftline hosts` lists those you added' },
  help: { type: 'boolean', short: 'h', help: 'show the usage of a command' }
}

const TAKE_A_VALUE: ReadonlySet<string> = new Set(['--data', '--folder', '--host'])

/** A command line before the options of its command are known. */
export interface Split {
  /** The command's name, null without one. */
  readonly name: string | null
  /** All other arguments before the first `--`. */
  readonly args: readonly string[]
  /** Everything after the first `--`, null without one. */
  readonly rest: readonly string[] | null
  /** True when `--json` is among the arguments, so that a usage error can be a document, too. */
  readonly json: boolean
}

/** Finds the command's name: the first argument that is neither an option nor the value of a global one. */
export function splitArguments(argv: readonly string[]): Split {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  let at = 0
  while (at < before.length && before[at]!.startsWith('-')) at += TAKE_A_VALUE.has(before[at]!) ? 2 : 1
  const name = before[at] ?? null
  return {
    name,
    args: [...before.slice(0, at), ...before.slice(at + 1)],
    rest: end === -1 ? null : argv.slice(end + 1),
    json: before.includes('--json')
  }
}

export interface Parsed extends Arguments<Options> {
  readonly global: {
    readonly json: boolean
    readonly help: boolean
    readonly data: string | undefined
    readonly folder: string | undefined
    readonly host: string | undefined
  }
}

/** Checks the arguments against the command's options. Throws `Usage`. */
export function parseArguments(command: Command, split: Split): Parsed {
  const options = { ...GLOBAL_OPTIONS, ...command.options }
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...split.args], options, allowPositionals: true, strict: true })
  } catch (error) {
    // parseArgs reports every wrong argument as a TypeError with a code of this family.
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
    throw usage(command, firstSentence(error.message))
  }
  const { json, help, data, folder, host, ...values } = parsed.values
  const positionals = command.takesCommand ? parsed.positionals : [...parsed.positionals, ...(split.rest ?? [])]
  if (help !== true) {
    const [min, max] = command.positionals
    if (positionals.length < min) throw usage(command, `\`driftline ${command.name}\`: missing argument.`)
    if (positionals.length > max)
      throw usage(command, `\`driftline ${command.name}\`: unexpected argument "${positionals[max]}".`)
    if (positionals.includes('')) throw usage(command, `\`driftline ${command.name}\`: an argument is empty.`)
    const emptyOption = Object.keys(parsed.values).find(
      (name) => !options[name]?.mayBeEmpty && [parsed.values[name]].flat().includes('')
    )
    if (emptyOption) throw usage(command, `\`driftline ${command.name}\`: the value of --${emptyOption} is empty.`)
    for (const [name, { choices }] of Object.entries(command.options)) {
      for (const value of [values[name] ?? []].flat()) if (choices) choose(`--${name}`, choices, value as string)
    }
  }
  return {
    values: values as Parsed['values'],
    positionals,
    rest: split.rest,
    global: {
      json: json === true,
      help: help === true,
      data: data as string | undefined,
      folder: folder as string | undefined,
      host: host as string | undefined
    }
  }
}

/** `text` as one of the choices; `subject` is what takes them. Throws `Usage`. */
export function choose<const C extends string>(subject: string, choices: readonly C[], text: string | undefined): C {
  const choice = choices.find((known) => known === text)
  if (choice !== undefined) return choice
  throw new DriftlineError('Usage', `${subject} takes ${listAll(choices, 'or')}, not "${text}".`)
}

/** A `Usage` error with the forms of the command. */
export function usage(command: Pick<Command, 'name' | 'usage'>, problem: string): DriftlineError {
  const forms = command.usage.map((form) => `driftline ${command.name} ${form}`.trimEnd())
  return new DriftlineError('Usage', `${problem} Usage: ${forms.join('  or  ')}`, {
    command: command.name,
    usage: forms
  })
}

/** Keeps the first sentence of parseArgs: the rest suggests quoting that does not apply here. */
function firstSentence(message: string): string {
  const first = (message.split(/\. |\n/)[0] ?? message).replaceAll("'", '"')
  return `${first.endsWith('.') ? first.slice(0, -1) : first}.`
}

/** Value of `--limit`, 50 by default, at most 10,000. Throws `Usage`. */
export function limitOf(text: string | undefined): number {
  if (text === undefined) return 50
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1) {
    throw new DriftlineError('Usage', `--limit takes a whole number above 0, not "${text}".`)
  }
  return Math.min(limit, 10_000)
}
