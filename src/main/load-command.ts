/** Loads command.ts, from its compiled code where there is a folder to keep that in. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hookWords } from './cli/hook-words.ts'
import { loadProgram } from './code-cache.ts'
import { dataDirOf, foreignAccess } from './host/data-dir.ts'
import { PROGRAMS } from './programs.ts'

type Command = typeof import('./command.ts')

interface LoadedCommand extends Command {
  /** Call it after the command, with what it compiled until then. */
  saveCode(): void
}

/** `argv`: all arguments of the program. */
export async function loadCommand(argv: readonly string[]): Promise<LoadedCommand> {
  const folder = codeFolder(argv)
  if (folder === null || !PROGRAMS.command.endsWith('.cjs')) {
    const { runCommand } = (await import(pathToFileURL(PROGRAMS.command).href)) as Command
    return { runCommand, saveCode: () => {} }
  }
  const { exports, saveCode } = loadProgram(PROGRAMS.command, folder)
  return { ...(exports as Command), saveCode }
}

/** Null while there is no data folder that only this user can change: what is in it is executed. */
function codeFolder(argv: readonly string[]): string | null {
  const dataDir = dataDirOf(hookWords(argv).data)
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  return stats?.isDirectory() && foreignAccess(stats) === null ? join(dataDir, 'cache') : null
}
