/**
 * The launcher: a small shell script in our data folder that agents' hooks call. Its path never changes, so settings
 * stay valid when Driftline is updated or moved.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readTextIfExists } from './settings-file.ts'

export function launcherFile(dataDir: string): string {
  return join(dataDir, 'bin', 'driftline')
}

/**
 * The command in an agent's settings. Codex trusts hooks by their text, so the command contains nothing that changes.
 * Gemini CLI blocks every tool when a hook's program is missing, so the command succeeds silently when Driftline is
 * gone.
 */
export function guardedHookCommand(dataDir: string, agent: string, event: string): string {
  const file = quoteShell(launcherFile(dataDir))
  return `[ -x ${file} ] && exec ${file} hook ${agent} ${event}; exit 0`
}

/** Whether a command in an agent's settings is ours, for this data folder. */
export function isOwnHookCommand(dataDir: string, agent: string, command: string): boolean {
  return (
    command.startsWith(`[ -x ${quoteShell(launcherFile(dataDir))} ] && exec `) && command.includes(` hook ${agent} `)
  )
}

/** The program that the launcher starts. */
export interface LauncherTarget {
  /** Path of Node, or of Electron running as Node. */
  readonly node: string
  readonly isElectron: boolean
  /**
   * The AppImage this process runs from, if any. It is mounted at another path at each start; only its own path is
   * stable.
   */
  readonly appImage: string | null
  /** Path of the command line's program. */
  readonly cli: string
}

/** Writes the launcher, atomically, if its text has changed. `cli` is the path of the command line's program. */
export function writeLauncher(dataDir: string, cli: string): void {
  const isElectron = process.versions.electron !== undefined
  const appImage = (isElectron && process.env.APPIMAGE) || null
  const file = launcherFile(dataDir)
  const text = launcherText(dataDir, { node: process.execPath, isElectron, appImage, cli })
  if (readTextIfExists(file) === text) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode: 0o755 })
  renameSync(draft, file)
}

export function launcherText(dataDir: string, { node, isElectron, appImage, cli }: LauncherTarget): string {
  const start = appImage
    ? `[ -x ${quoteShell(appImage)} ] || exit 0
program=cli.js
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
: "\${DRIFTLINE_DATA:=${dataDir.replace(/[\\"$`]/g, '\\$&')}}"
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

/**
 * Quotes one word for a POSIX shell, always: the result must not depend on the path's characters (see
 * guardedHookCommand).
 */
export function quoteShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
