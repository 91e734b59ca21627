/**
 * The launcher: a small shell script in our data folder that agents' hooks call. Its path never changes, so settings
 * stay valid when Driftline is updated or moved. On Windows there are two, for Git Bash and for the system's own
 * shells.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, win32 } from 'node:path'
import { quoteShell } from '../../../../contract/words/shell.ts'
import { whenFreeSync } from '../../files/in-use.ts'
import { printsAnswer } from '../answer.ts'
import type { LauncherTarget } from './launcher-target.ts'
import { LIMITED, limitedCommand } from './limited-command.ts'
import { readTextIfExists } from './settings-file.ts'
import { windowsHookCommand, windowsLauncherText } from './windows-hooks.ts'

/** The launcher that the system's own shells start. `platform`: that of the agent, by default of this process. */
export function launcherFile(dataDir: string, platform: string = process.platform): string {
  return platform === 'win32' ? win32.join(dataDir, 'bin', 'driftline.cmd') : posix.join(dataDir, 'bin', 'driftline')
}

/** The launcher for POSIX shells, Git Bash included. */
function shellLauncherFile(dataDir: string, platform: string): string {
  return platform === 'win32' ? win32.join(dataDir, 'bin', 'driftline') : launcherFile(dataDir, platform)
}

/**
 * The command in an agent's settings. Codex trusts hooks by their text, so the command contains nothing that changes.
 * Gemini CLI blocks every tool when a hook's program is missing, so the command succeeds silently when Driftline is
 * gone.
 */
export function guardedHookCommand(
  dataDir: string,
  agent: string,
  event: string,
  platform: string = process.platform
): string {
  const words = ['hook', agent, event]
  const call = (start: string): string => `${guard(dataDir, platform, start)}${words.join(' ')}`
  if (platform !== 'win32') return limitedCommand(call(''), printsAnswer(agent, event))
  return windowsHookCommand(launcherFile(dataDir, platform), words, `${call('exec ')}; exit 0`)
}

/**
 * Whether a command in an agent's settings is ours, for this data folder, in the form of this or an earlier version.
 */
export function isOwnHookCommand(
  dataDir: string,
  agent: string,
  command: string,
  platform: string = process.platform
): boolean {
  const call = (start: string): string => `${guard(dataDir, platform, start)}hook ${agent} `
  if (command.startsWith(LIMITED)) return command.includes(` { ${call('')}`)
  const alone = call('exec ')
  return command.startsWith(alone) || (platform === 'win32' && command.includes(`\n${alone}`))
}

function guard(dataDir: string, platform: string, start: string): string {
  const file = quoteShell(shellLauncherFile(dataDir, platform))
  return `[ -x ${file} ] && ${start}${file} `
}

/** Writes the launchers, atomically, if their text has changed. `cli` is the path of the command line's program. */
export function writeLauncher(dataDir: string, cli: string): void {
  const isElectron = process.versions.electron !== undefined
  const appImage = (isElectron && process.env.APPIMAGE) || null
  const target = { node: process.execPath, isElectron, appImage, cli }
  writeProgram(shellLauncherFile(dataDir, process.platform), launcherText(dataDir, target))
  if (process.platform === 'win32')
    writeProgram(launcherFile(dataDir), windowsLauncherText(dataDir, target, hookBeside(cli)))
}

function writeProgram(file: string, text: string): void {
  if (readTextIfExists(file) === text) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode: 0o755 })
  // cmd.exe reads it line by line while a hook runs.
  whenFreeSync(() => renameSync(draft, file))
}

export function launcherText(dataDir: string, { node, isElectron, appImage, cli }: LauncherTarget): string {
  const start = appImage
    ? `[ -x ${quoteShell(appImage)} ] || exit 0
program=cli.cjs
[ "$1" = hook ] && program=hook.cjs
export DRIFTLINE_PROGRAM="$program"
ELECTRON_RUN_AS_NODE=1 exec ${quoteShell(appImage)} -e ${quoteShell(APP_IMAGE_LOADER)} -- driftline "$@"`
    : `node=${quoteShell(node)}
program=${quoteShell(cli)}
[ "$1" = hook ] && program=${quoteShell(hookBeside(cli))}
[ -x "$node" ] && [ -f ${fileOf(cli)} ] || exit 0
${isElectron ? 'ELECTRON_RUN_AS_NODE=1 ' : ''}exec "$node" "$program" "$@"`
  return `#!/bin/sh
# Written by Driftline, and updated when it moves. Called by agents: replaces itself with one Node process, or does nothing.
[ -n "$DRIFTLINE_DATA" ] || DRIFTLINE_DATA=${quoteShell(dataDir)}
export DRIFTLINE_DATA
${start}
`
}

/** The AppImage runtime sets APPDIR to its mount point. */
const APP_IMAGE_LOADER = 'import(process.env.APPDIR + "/resources/app.asar/out/main/" + process.env.DRIFTLINE_PROGRAM)'

/** The file that the shell can test for the program: inside an asar archive, the archive itself. */
function fileOf(cli: string): string {
  const [archive] = /^.*?app\.asar(?=[\\/])/.exec(cli) ?? []
  return archive ? quoteShell(archive) : '"$program"'
}

/** The program of `driftline hook`, beside the command line's (programs.ts). */
function hookBeside(cli: string): string {
  return join(dirname(cli), cli.endsWith('.ts') ? 'hook.ts' : 'hook.cjs')
}
