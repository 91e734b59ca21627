/** How a person starts Driftline's command line in a terminal, for the commands that the window names. */
import { commandWord } from '../../../../contract/words/shell.ts'
import { log } from '../../ports/log.ts'
import { findProgram } from '../../ports/programs.ts'
import { launcherFile, writeLauncher } from './launcher.ts'

interface Installation {
  readonly dataDir: string
  /** Path of the command line's program. */
  readonly cli: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * `driftline` where that is on the PATH, else the path of the launcher, quoted if a shell needs it. The launcher is
 * written first: until an agent is connected, there may be none.
 */
export function ownCommand({ dataDir, cli, env }: Installation): string {
  if (findProgram('driftline', { cwd: dataDir, env })) return 'driftline'
  try {
    writeLauncher(dataDir, cli)
  } catch (error) {
    log.warn('The launcher could not be written, so the window names the command without its folder.', error)
    return 'driftline'
  }
  return commandWord(launcherFile(dataDir), process.platform)
}
