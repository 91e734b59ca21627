/**
 * How programs are found and started. Windows finds `npm` by the endings in PATHEXT, and starts .cmd and .bat files
 * only through cmd.exe: Node refuses them without a shell (CVE-2024-27980).
 */
import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export interface Place {
  readonly cwd: string
  readonly env: Environment
  /** Default: the platform of this process. */
  readonly platform?: string
}

/** What `spawn` is called with. `verbatim`: Node must not quote the arguments (windowsVerbatimArguments). */
interface ProgramStart {
  readonly file: string
  readonly args: readonly string[]
  readonly verbatim: boolean
}

/** Other files that PATHEXT names (.js, .vbs) are opened by Explorer's associations, not started. */
const STARTABLE = ['.com', '.exe', '.bat', '.cmd']

/** The path of the program that a shell of the system starts for `name`; null when there is none. */
export function findProgram(name: string, { cwd, env, platform = process.platform }: Place): string | null {
  const isWindows = platform === 'win32'
  const path = isWindows ? win32 : posix
  const hasFolder = isWindows ? /[\\/:]/.test(name) : name.includes('/')
  const folders = (isWindows ? windowsVariable(env, 'PATH') : env.PATH) ?? ''
  const onPath = (isWindows ? folders.replaceAll('"', '') : folders).split(path.delimiter).filter(Boolean)
  // As cmd.exe does, unless the user turned that off.
  const current = isWindows && windowsVariable(env, 'NoDefaultCurrentDirectoryInExePath') === undefined ? [cwd] : []
  for (const folder of hasFolder ? [cwd] : [...current, ...onPath]) {
    const file = path.resolve(cwd, folder, name)
    const names = isWindows ? windowsNames(file, env) : [file]
    const found = names.find((candidate) => isStartable(candidate, isWindows))
    if (found !== undefined) return found
  }
  return null
}

/**
 * How to start `name` with exactly these arguments. A name that is not found is left to `spawn`, which reports it.
 * Throws TypeError for arguments that a batch file cannot get.
 */
export function programStart(name: string, args: readonly string[], place: Place): ProgramStart {
  const { env, platform = process.platform } = place
  const file = platform === 'win32' ? findProgram(name, place) : null
  if (file !== null && win32.basename(file).toLowerCase() === 'cmd.exe') {
    const line = lineArguments(args)
    if (line) return { file, args: line, verbatim: true }
  }
  if (file === null || !/\.(?:bat|cmd)$/i.test(file)) return { file: name, args, verbatim: false }
  return { file: windowsVariable(env, 'ComSpec') ?? 'cmd.exe', args: batchArguments(file, args), verbatim: true }
}

/**
 * The arguments of cmd.exe with a command line as the last one, for verbatim use: it takes all that follows /c as it is,
 * and Node would put backslashes before its quotes. Null where they are anything else.
 */
function lineArguments(args: readonly string[]): string[] | null {
  const [line = '', run = '', ...options] = args.toReversed()
  if (!/^\/[ck]$/i.test(run) || options.some((option) => !/^\/[\w:]+$/.test(option))) return null
  return [...args.slice(0, -1), `"${line}"`]
}

/**
 * The arguments of cmd.exe that start a batch file, for verbatim use. Throws TypeError for arguments that it cannot
 * get.
 */
export function batchArguments(file: string, args: readonly string[]): string[] {
  if (args.some((arg) => /[\r\n]/.test(arg)))
    throw new TypeError('Windows cannot pass a line break to a .cmd or .bat file')
  const line = [quoted(file), ...args.map((arg) => (isPlain(arg) ? arg : quoted(arg)))].join(' ')
  // Without the user's AutoRun commands (/d) and `!NAME!` (/v:off); /s removes exactly the outer quotes.
  return ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`]
}

/**
 * One argument for a batch file. It is parsed twice as a command, by cmd.exe and in the batch file's own line with
 * `%*`, and then split by the program's C runtime. Quotes are doubled, so that both parsers stay inside them and need
 * no carets, which the second one would keep; `%` is followed by an empty variable, so that no name is expanded. The
 * rules are those of Rust's standard library for batch files (CVE-2024-24576). cross-spawn 7.0.6 escapes with carets
 * once, except for shims in `node_modules/.bin`: `a "b & c"` would end the command of one that npm installed globally,
 * and start `c`.
 */
function quoted(arg: string): string {
  const inner = arg.replace(/(\\*)("|$)/g, (_, slashes: string, end: string) => slashes + slashes + end + end)
  return `"${inner}"`.replaceAll('%', '%%cd:~,%')
}

/** Nothing in it means anything to cmd.exe or the C runtime. */
function isPlain(arg: string): boolean {
  return /^[\w#$*+./:?@\\-]+$/.test(arg) && !arg.endsWith('\\')
}

function windowsNames(file: string, env: Environment): string[] {
  const listed = (windowsVariable(env, 'PATHEXT') ?? STARTABLE.join(';')).toLowerCase().split(';')
  const endings = listed.filter((ending) => STARTABLE.includes(ending))
  const own = STARTABLE.includes(win32.extname(file).toLowerCase()) ? [file] : []
  return [...own, ...endings.map((ending) => file + ending)]
}

function isStartable(file: string, isWindows: boolean): boolean {
  try {
    // A folder passes the check of execute permission, too.
    if (!statSync(file).isFile()) return false
    if (!isWindows) accessSync(file, constants.X_OK)
    return true
  } catch {
    // Missing, unreadable, or not executable.
    return false
  }
}

/** Names of variables ignore case on Windows; a copy of `process.env` does not. */
function windowsVariable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((known) => known.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : env[key]
}
