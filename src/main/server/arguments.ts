/** The arguments of the headless host. */
import { parseArgs } from 'node:util'
import { DriftlineError } from '../../contract/errors.ts'

export interface ServeArguments {
  readonly port: number
  readonly open: boolean
  readonly stay: boolean
  readonly json: boolean
  readonly help: boolean
  readonly data: string | undefined
  /** Folder to open first. */
  readonly folder: string | undefined
}

export const SERVE_USAGE = `driftline serve: the timeline in a browser on this computer

  --port N      listen on this port (default: the last one here, or a free one)
  --no-open     do not open a browser
  --stay        keep running after the last browser disconnects (default: exit after 60 s)
  --json        print {"url","pid"} instead of the URL
  --data DIR    data folder (also DRIFTLINE_DATA)
  --folder DIR  folder to open first

Prints one line with the URL, then runs until stopped.
`

/** Parses the arguments after `serve`. Throws `Usage`. */
export function parseServeArguments(argv: readonly string[]): ServeArguments {
  const { values, positionals } = parsed(argv)
  if (positionals.length > 1) throw usage(`Unexpected argument "${positionals[1]}".`)
  const { port: typed = '0', stay = false, json = false, help = false, data, folder = positionals[0] } = values
  const port = Number(typed)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw usage(`--port takes a number up to 65535, not "${typed}".`)
  return { port, open: values['no-open'] !== true, stay, json, help, data, folder }
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
        stay: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        data: { type: 'string' },
        folder: { type: 'string' }
      }
    })
  } catch (error) {
    // Expected: a TypeError of parseArgs that names the option.
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(message: string): DriftlineError {
  return new DriftlineError('Usage', `${message} Nothing was started. See \`driftline serve --help\`.`)
}
