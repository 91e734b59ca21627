/** The real git in tests. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteShell } from '../../src/contract/words/shell.ts'

/** Its environment. `vitest.config.ts` keeps the person's own configuration out of all tests. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  // Without git's samples of hooks, two thirds of the files of an empty repository.
  GIT_TEMPLATE_DIR: '',
  // Messages of commits stay as they are proposed.
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b'
}

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs it in a folder, with folders allowed as remotes of submodules, and returns what it prints. Throws if it fails. */
export function runGit(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = start(cwd, ['-c', 'protocol.file.allow=always', ...args])
  if (status !== 0) throw new Error(`git ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

/** The same of a command that may fail, as a merge with conflicts does. */
export function tryGit(
  cwd: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = start(cwd, args)
  return { status, text: stdout + stderr }
}

/** In a shell that is kept. It has the user of this process from its beginning, and Windows has none. */
function start(cwd: string, args: readonly string[]): Ended {
  if (!process.geteuid || process.geteuid() !== process.getuid?.())
    return spawnSync('git', args, { cwd, env: GIT_ENV, encoding: 'utf8' })
  shell ??= openShell()
  return shell(cwd, args)
}

let shell: ReturnType<typeof openShell> | undefined

/**
 * Starts a shell, which ends with this process, and returns what runs git in it. A process of tests holds up to a gigabyte: starting
 * git by itself shares all of it for a moment, which takes a quarter of the time of the tests of git.
 */
function openShell(): (cwd: string, args: readonly string[]) => Ended {
  const folder = mkdtempSync(join(tmpdir(), 'driftline-git-'))
  const file = (name: string): string => join(folder, name)
  execFileSync('mkfifo', [file('commands'), file('codes')])
  // Also for reading, so that opening one waits for nobody.
  const [commands, codes] = [openSync(file('commands'), 'r+'), openSync(file('codes'), 'r+')]
  const script = 'exec <"$0/commands" 3>"$0/codes"; sh -s; rm -rf "$0"'
  spawn('sh', ['-c', script, folder], { env: GIT_ENV, stdio: 'ignore' }).unref()
  const code = Buffer.alloc(16)
  return (cwd, args) => {
    const command = `cd ${quoteShell(cwd)} && exec git ${args.map(quoteShell).join(' ')}`
    writeSync(commands, `(${command}) >${file('stdout')} 2>${file('stderr')} </dev/null 3>&-; echo $? >&3\n`)
    const status = Number(code.toString('utf8', 0, readSync(codes, code)))
    return { status, stdout: readFileSync(file('stdout'), 'utf8'), stderr: readFileSync(file('stderr'), 'utf8') }
  }
}
