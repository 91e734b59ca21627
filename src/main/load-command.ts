/** Loads command.ts, from its compiled code where there is a folder to keep that in. */
import { importProgram } from './code-cache.ts'
import { codeFolder } from './code-folder.ts'
import { PROGRAMS } from './programs.ts'

type Command = typeof import('./command.ts')

interface LoadedCommand extends Command {
  /** Call it after the command, with what it compiled until then. */
  saveCode(): void
}

/** `argv`: all arguments of the program. */
export async function loadCommand(argv: readonly string[]): Promise<LoadedCommand> {
  const { exports, saveCode } = await importProgram(PROGRAMS.command, codeFolder(argv))
  return { ...(exports as Command), saveCode }
}
