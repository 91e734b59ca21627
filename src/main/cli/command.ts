/** The shape of a command in the table, and the types its options get after parsing. */
import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Context } from './context.ts'

/** An option as `parseArgs` of node:util takes it, plus its text in `--help`. */
export interface Option extends ParseArgsOptionDescriptor {
  /** Placeholder of the value in the usage, for options that take one. */
  readonly value?: string
  /** Its value may be empty: it is a name. An empty folder, say, would be the current one, which nobody named. */
  readonly mayBeEmpty?: boolean
  /** The values it takes; without them, any. */
  readonly choices?: readonly string[]
  readonly help: string
}
export type Options = Readonly<Record<string, Option>>

/** `--yes` of a command that asks before it changes something. */
export const YES = { type: 'boolean', short: 'y', help: 'do not ask' } as const satisfies Option

type ChoiceOf<O extends Option> = O['choices'] extends readonly string[] ? O['choices'][number] : string
type ValueOf<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O['multiple'] extends true
    ? ChoiceOf<O>[]
    : ChoiceOf<O>

export type Values<O extends Options> = { readonly [K in keyof O]?: ValueOf<O[K]> }

/** Arguments after parsing. `rest` is everything after the first `--`, null without one. */
export interface Arguments<O extends Options> {
  readonly values: Values<O>
  readonly positionals: readonly string[]
  readonly rest: readonly string[] | null
}

interface CommandShape<O extends Options> {
  readonly name: string
  /** What follows `driftline NAME`, one line per form. */
  readonly usage: readonly string[]
  readonly summary: string
  /** None if absent. */
  readonly options?: O
  /** Smallest and largest number of positionals; none if absent. */
  readonly positionals?: readonly [min: number, max: number]
  /** True when everything after `--` is another command line, not more positionals. */
  readonly takesCommand?: boolean
  /** True when it is about the computer it runs on, so that `--host` makes no sense. */
  readonly onlyHere?: boolean
  /** Resolves to the exit code. Throws DriftlineError. */
  readonly run: (context: Context, args: Arguments<O>) => Promise<number>
}

export type Command = CommandShape<Options> & Required<Pick<CommandShape<Options>, 'options' | 'positionals'>>

/** Infers a command's value types from its options, then erases them: all commands share one table. */
export function command<const O extends Options>(shape: CommandShape<O>): Command {
  return { options: {}, positionals: [0, 0], ...shape } as unknown as Command
}
