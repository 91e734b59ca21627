/** The program agents call: a small script in our data folder whose place and name never change, whatever version stands behind it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isNotFound } from '../../ports/fs-errors.ts'

export function launcherFile(dataDir: string): string {
  return join(dataDir, 'bin', 'driftline')
}

/**
 * What an agent is told to run. Codex trusts hooks by their text and Gemini blocks every tool when a hook's program is
 * missing: so it names nothing that changes, and says nothing and succeeds when we are gone.
 */
export function guardedHookCommand(dataDir: string, agent: string, event: string): string {
  const file = quoteShell(launcherFile(dataDir))
  return `[ -x ${file} ] && exec ${file} hook ${agent} ${event}; exit 0`
}

/** Whether a command in somebody's settings is one of ours, for this data folder. */
export function isOwnHookCommand(dataDir: string, agent: string, command: string): boolean {
  return (
    command.startsWith(`[ -x ${quoteShell(launcherFile(dataDir))} ] && exec `) && command.includes(` hook ${agent} `)
  )
}

/** What the launcher starts. */
export interface LauncherTarget {
  /** Node, or Electron that can be one. */
  readonly node: string
  readonly isElectron: boolean
  /** The AppImage this is the inside of: it is mounted elsewhere at each start, so only its own path stays. */
  readonly appImage: string | null
  /** The command line's program. */
  readonly cli: string
}

/** Writes the launcher anew when this version stands elsewhere. `cli` is the command line's program. */
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
# Written by Driftline, and again when it moves. Agents call it; it becomes one Node process, or does nothing.
: "\${DRIFTLINE_DATA:=${dataDir.replace(/[\\"$`]/g, '\\$&')}}"
export DRIFTLINE_DATA
${start}
`
}

/** Where an AppImage is mounted is in APPDIR. */
const APP_IMAGE_LOADER = 'import(process.env.APPDIR + "/resources/app.asar/out/main/" + process.env.DRIFTLINE_PROGRAM)'

/** What the shell can see of the program: inside an archive it is no file of its own. */
function fileOf(cli: string): string {
  const [archive] = /^.*?app\.asar(?=[\\/])/.exec(cli) ?? []
  return archive ? quoteShell(archive) : '"$program"'
}

/** The program of `driftline hook` (programs.ts). */
function hookBeside(cli: string): string {
  return join(dirname(cli), cli.endsWith('.ts') ? 'hook.ts' : 'hook.cjs')
}

/** One word of a POSIX shell. */
export function quoteShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

export function readTextIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
