/** One call of the command line from its words to its exit code. */
import { DriftlineError, type ErrorShape, exitCodeOf, toErrorShape } from '../../contract/errors.ts'
import { dataDirOf } from '../host/data-dir.ts'
import { parseArguments, splitArguments } from './arguments.ts'
import { COMMANDS } from './commands.ts'
import { createContext, type Surroundings } from './context.ts'
import { escapeText } from './escape.ts'
import { createOutput, type Output, type Sink } from './output.ts'
import { manual, overview } from './usage-text.ts'

/** Runs one command line; resolves to the exit code once everything has been printed. Never rejects. */
export async function main(surroundings: Surroundings, out: Sink, err: Sink): Promise<number> {
  const split = splitArguments(surroundings.argv)
  const output = createOutput(out, err, surroundings.env, split.json)
  let code: number
  try {
    code = await dispatch(surroundings, output, split)
  } catch (error) {
    code = fail(output, toErrorShape(error))
  }
  await output.flush()
  return code
}

async function dispatch(
  surroundings: Surroundings,
  output: Output,
  split: ReturnType<typeof splitArguments>
): Promise<number> {
  // [GW-1] Whatever an agent says, nothing is printed and the code is 0; the entry file takes real ones before this.
  if (split.name === 'hook' && !split.words.includes('--help')) return 0
  if (split.name === null) {
    if (split.words.includes('--version')) {
      output.document({ version: surroundings.version })
      output.lines([surroundings.version])
      return 0
    }
    const unknown = split.words.find((word) => !['--help', '-h', '--json'].includes(word))
    if (unknown !== undefined)
      throw new DriftlineError('Usage', `"${unknown}" needs a command. See \`driftline --help\`.`)
    output.document({ commands: COMMANDS.map(({ name, usage, summary }) => ({ name, usage, summary })) })
    output.lines(overview(COMMANDS))
    return 0
  }
  const command = COMMANDS.find((one) => one.name === split.name)
  if (!command) {
    throw new DriftlineError('Usage', `There is no command "${split.name}". \`driftline --help\` lists them all.`, {
      command: split.name
    })
  }
  const parsed = parseArguments(command, split)
  if (parsed.global.help) {
    output.document({ name: command.name, usage: command.usage, summary: command.summary })
    output.lines(manual(command))
    return 0
  }
  const context = createContext({
    surroundings,
    output,
    dataDir: dataDirOf(parsed.global.data),
    dataDirGiven: Boolean(parsed.global.data || surroundings.env.DRIFTLINE_DATA),
    folder: parsed.global.folder
  })
  try {
    return await command.run(context, parsed)
  } finally {
    await context.close()
  }
}

/** Tells an error: a sentence on stderr, with `--json` also the document on stdout. Returns its exit code. */
export function fail(output: Output, error: ErrorShape): number {
  output.document({ error: { code: error.code, message: error.message, data: error.data } })
  output.note(`${output.paintNote('red', 'driftline:')} ${escapeText(error.message)}`)
  return exitCodeOf(error.code)
}
