/** One call of the command line, from its arguments to its exit code. */
import { DriftlineError, type ErrorShape, exitCodeOf, toErrorShape } from '../../contract/errors.ts'
import { errorCode } from '../engine/files/fs-errors.ts'
import { dataDirOf } from '../host/data-dir.ts'
import { parseArguments, type Split, splitArguments } from './arguments.ts'
import { COMMANDS } from './commands.ts'
import { createContext } from './context.ts'
import { escapeText } from './escape.ts'
import { printManual, printOverview } from './help.ts'
import { HELP } from './hook-words.ts'
import type { Invocation } from './invocation.ts'
import { createOutput, type Output, type Sink } from './output.ts'

/** Runs one command line; resolves to the exit code once everything has been printed. Never rejects. */
export async function main(invocation: Invocation, out: Sink, err: Sink): Promise<number> {
  const split = splitArguments(invocation.argv)
  const output = createOutput(out, err, invocation.env, split.json)
  let code: number
  try {
    code = await dispatch(invocation, output, split)
  } catch (error) {
    code = fail(output, toErrorShape(error))
  }
  await output.flush()
  const failure = output.failure()
  if (failure === null) return code
  fail(output, outputFailure(failure))
  await output.flush()
  return code === 0 ? 1 : code
}

/** As when the output is a file on a full disk. */
function outputFailure(error: Error): DriftlineError {
  const code = errorCode(error)
  const why = code === 'ENOSPC' ? 'The disk is full' : `Couldn’t write the output (${code || error.message})`
  const message = `${why}, so the output is incomplete. What the command changed is done, and the history is safe.`
  return new DriftlineError(code === 'ENOSPC' ? 'DiskFull' : 'Refused', message)
}

async function dispatch(invocation: Invocation, output: Output, split: Split): Promise<number> {
  // [GW-1] A hook prints nothing and exits 0 on any input. The entry file handles real hook calls before this.
  if (split.name === 'hook' && !split.args.some((arg) => HELP.has(arg))) return 0
  if (split.name === null) {
    if (split.args.includes('--version')) return output.print({ version: invocation.version }, [invocation.version])
    const unknown = split.args.find((arg) => !(HELP.has(arg) || arg === '--json'))
    if (unknown !== undefined)
      throw new DriftlineError('Usage', `"${unknown}" is not a command. See \`driftline --help\`.`)
    return printOverview(COMMANDS, output)
  }
  const command = COMMANDS.find(({ name }) => name === split.name)
  if (!command) {
    throw new DriftlineError('Usage', `Unknown command "${split.name}". \`driftline --help\` lists all commands.`, {
      command: split.name
    })
  }
  const parsed = parseArguments(command, split)
  if (parsed.global.help) return printManual(command, output)
  const { host = null } = parsed.global
  if (host !== null && command.onlyHere) throw onlyHereError(command.name, host)
  if (host !== null) output.nameHost(host)
  const context = createContext({
    invocation,
    output,
    dataDir: dataDirOf(parsed.global.data),
    dataDirGiven: Boolean(parsed.global.data || invocation.env.DRIFTLINE_DATA),
    folderOption: parsed.global.folder,
    host
  })
  try {
    return await command.run(context, parsed)
  } finally {
    await context.close()
  }
}

function onlyHereError(name: string, host: string): DriftlineError {
  return new DriftlineError(
    'Usage',
    `\`driftline ${name}\` is about the computer it runs on. Nothing was started. Run it in a shell on ${host}, without --host.`,
    { command: name, host }
  )
}

/** Reports an error: a sentence on stderr and, with `--json`, the document on stdout. Returns its exit code. */
export function fail(output: Output, error: ErrorShape): number {
  output.document({ error: { code: error.code, message: error.message, data: error.data } })
  output.note(`${output.paintNote('red', 'driftline:')} ${escapeText(error.message)}`)
  return exitCodeOf(error.code)
}
