/** The program agents call: a small script in our data folder whose place and name never change, whatever version stands behind it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAbsence } from '../../ports/fs-errors.ts'

export function launcherFile(dataDir: string): string {
  return join(dataDir, 'bin', 'driftline')
}

/**
 * What an agent is told to run. Codex trusts hooks by their text and Gemini blocks every tool when a hook's program is
 * missing: so it names nothing that changes, and says nothing and succeeds when we are gone.
 */
export function guarded(dataDir: string, agent: string, event: string): string {
  const file = quoted(launcherFile(dataDir))
  return `[ -x ${file} ] && exec ${file} hook ${agent} ${event}; exit 0`
}

/** Whether a command in somebody's settings is one of ours, for this data folder. */
export function isGuarded(dataDir: string, agent: string, command: string): boolean {
  return command.startsWith(`[ -x ${quoted(launcherFile(dataDir))} ] && exec `) && command.includes(` hook ${agent} `)
}

/** Writes the launcher anew when this version stands elsewhere. `cli` is the command line's program. */
export function writeLauncher(dataDir: string, cli: string): void {
  const file = launcherFile(dataDir)
  const text = launcherText(dataDir, cli)
  if (readIfThere(file) === text) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode: 0o755 })
  renameSync(draft, file)
}

function launcherText(dataDir: string, cli: string): string {
  const asNode = process.versions.electron ? 'ELECTRON_RUN_AS_NODE=1 ' : ''
  return `#!/bin/sh
# Written by Driftline, and again when it moves. Agents call it; it becomes one Node process, or does nothing.
node=${quoted(process.execPath)}
program=${quoted(cli)}
[ "$1" = hook ] && program=${quoted(hookBeside(cli))}
[ -x "$node" ] && [ -f "$program" ] || exit 0
: "\${DRIFTLINE_DATA:=${dataDir.replace(/[\\"$`]/g, '\\$&')}}"
export DRIFTLINE_DATA
${asNode}exec "$node" "$program" "$@"
`
}

/** The program of `driftline hook` (programs.ts). */
function hookBeside(cli: string): string {
  return join(dirname(cli), cli.endsWith('.ts') ? 'hook.ts' : 'hook.cjs')
}

/** One word of a POSIX shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}
