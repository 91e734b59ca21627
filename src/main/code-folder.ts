/** Where the compiled code of programs is kept (code-cache.ts). */
import { statSync } from 'node:fs'
import { hookWords } from './cli/hook-words.ts'
import { codeFolderOf, dataDirOf, foreignAccess } from './host/data-dir.ts'

/**
 * `argv`: all arguments of the program. Null while there is no data folder that only this user can change: what is in it
 * is executed.
 */
export function codeFolder(argv: readonly string[]): string | null {
  const dataDir = dataDirOf(hookWords(argv).data)
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  return stats?.isDirectory() && foreignAccess(stats) === null ? codeFolderOf(dataDir) : null
}
