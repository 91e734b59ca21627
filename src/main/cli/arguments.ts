/** From the words of a command line to a command's options: global options anywhere, `--` ends them, wrong use is `Usage`. */
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util'
import { DriftlineError } from '../../contract/errors.ts'
import type { Arguments, Command, Options } from './command.ts'

export const GLOBAL_OPTIONS: Options = {
  json: { type: 'boolean', help: 'print one JSON document on stdout and nothing else' },
  data: { type: 'string', value: 'DIR', help: 'where Driftline keeps its data (also DRIFTLINE_DATA)' },
  folder: {
    type: 'string',
    value: 'DIR',
    help: 'the recorded folder (default: the one that holds the current folder)'
  },
  help: { type: 'boolean', short: 'h', help: 'show how to use a command' }
}

/** What stands before a command's own options are known. */
export interface Split {
  /** The command's name, null when there is none. */
  readonly name: string | null
  /** Every other word before the first `--`. */
  readonly words: readonly string[]
  /** Everything after the first `--`, null when there was none. */
  readonly rest: readonly string[] | null
  /** True when `--json` is among the words, so that even a usage error can be a document. */
  readonly json: boolean
}

/** Finds the command's name: the first word that is neither an option nor the value of `--data` or `--folder`. */
export function splitArguments(argv: readonly string[]): Split {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  let at = 0
  while (at < before.length && before[at]!.startsWith('-'))
    at += before[at] === '--data' || before[at] === '--folder' ? 2 : 1
  const name = before[at] ?? null
  return {
    name,
    words: [...before.slice(0, at), ...before.slice(at + 1)],
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
  }
}

/** Checks the words against the command's options. Fails with `Usage`. */
export function parseArguments(command: Command, split: Split): Parsed {
  const options = { ...GLOBAL_OPTIONS, ...command.options }
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...split.words], options: descriptors(options), allowPositionals: true, strict: true })
  } catch (error) {
    // parseArgs throws TypeErrors with a code of this family, and nothing else for wrong words.
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
    throw usage(command, sentence(error.message))
  }
  const { json, help, data, folder, ...values } = parsed.values
  const positionals = command.takesCommand ? parsed.positionals : [...parsed.positionals, ...(split.rest ?? [])]
  const [least, most] = command.positionals
  if (help !== true && positionals.length < least)
    throw usage(command, `\`driftline ${command.name}\` needs more words.`)
  if (help !== true && positionals.length > most) {
    throw usage(command, `\`driftline ${command.name}\` does not take "${positionals[most]}".`)
  }
  return {
    values: values as Parsed['values'],
    positionals,
    rest: split.rest,
    global: {
      json: json === true,
      help: help === true,
      data: data as string | undefined,
      folder: folder as string | undefined
    }
  }
}

/** A `Usage` error that shows the command's forms. */
export function usage(command: Pick<Command, 'name' | 'usage'>, problem: string): DriftlineError {
  const forms = command.usage.map((form) => `driftline ${command.name} ${form}`.trimEnd())
  return new DriftlineError('Usage', `${problem} Usage: ${forms.join('  or  ')}`, {
    command: command.name,
    usage: forms
  })
}

function descriptors(options: Options): Record<string, ParseArgsOptionDescriptor> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) }
    ])
  )
}

/** parseArgs explains at length; its first sentence is what people need. */
function sentence(message: string): string {
  const first = (message.split(/\. |\n/)[0] ?? message).replaceAll("'", '"')
  return `${first.endsWith('.') ? first.slice(0, -1) : first}.`
}

/** Value of `--limit`; 50 when it was not given. Throws Usage. */
export function limitOf(text: string | undefined): number {
  if (text === undefined) return 50
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1) {
    throw new DriftlineError('Usage', `--limit takes a whole number above 0, not "${text}".`)
  }
  return Math.min(limit, 10_000)
}
