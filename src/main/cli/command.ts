/** What a command of the table is, and the types its options get. */
import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Context } from './context.ts'

/** An option as node:util's parseArgs takes it, with the words `--help` shows. */
export interface Option extends ParseArgsOptionDescriptor {
  /** Name of the value in the usage, for options that take one. */
  readonly value?: string
  readonly help: string
}
export type Options = Readonly<Record<string, Option>>

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : O['multiple'] extends true ? string[] : string

export type Values<O extends Options> = { readonly [K in keyof O]?: ValueOf<O[K]> }

/** Arguments of one call after parsing. `rest` is everything after the first `--`, null when there was none. */
export interface Arguments<O extends Options> {
  readonly values: Values<O>
  readonly positionals: readonly string[]
  readonly rest: readonly string[] | null
}

export interface CommandShape<O extends Options> {
  readonly name: string
  /** What follows `driftline NAME`, one line per form. */
  readonly usage: readonly string[]
  readonly summary: string
  readonly options: O
  /** How many positionals it takes. */
  readonly positionals: readonly [least: number, most: number]
  /** True when everything after `--` is a command line of its own and not more positionals. */
  readonly takesCommand?: boolean
  /** Resolves to the exit code. Throws DriftlineError. */
  readonly run: (context: Context, args: Arguments<O>) => Promise<number>
}

export type Command = Omit<CommandShape<Options>, 'run'> & {
  readonly run: (context: Context, args: Arguments<Options>) => Promise<number>
}

/** Types a command's values from its options, then forgets them so that commands fit into one table. */
export function command<const O extends Options>(shape: CommandShape<O>): Command {
  return shape as unknown as Command
}
