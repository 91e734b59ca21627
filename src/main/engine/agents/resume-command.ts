/**
 * How a person runs the command that resumes a session, in the form each system's shells take. Pure.
 *
 * A folder of the agent's own needs a variable. POSIX shells run `env NAME=FOLDER claude ...`. On Windows the same text
 * has to work in cmd.exe and in PowerShell, so cmd.exe sets it: `cmd /d /c "set NAME=FOLDER&& claude ..."`.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { shellWord } from '../../../contract/words/shell.ts'
import { escapeForCmd } from './connect/windows-hooks.ts'

export interface AgentCommand {
  /** The program and its arguments; they need no quotes in any shell. */
  readonly words: readonly string[]
  /** The variable that names the agent's folder, and that folder; null when it is the default one. */
  readonly home: { readonly variable: string; readonly folder: string } | null
}

/** As argv, and as text for the shells of the system. Throws Refused for a folder that no text can name in all of them. */
export function resumeCommand(
  { words, home }: AgentCommand,
  platform: string = process.platform
): { readonly argv: readonly string[]; readonly command: string } {
  if (home && platform === 'win32') {
    const line = `set ${home.variable}=${escapeForCmdAndPowerShell(home, words)}&& ${words.join(' ')}`
    return { argv: ['cmd', '/d', '/c', line], command: `cmd /d /c "${line}"` }
  }
  const argv = home ? ['env', `${home.variable}=${home.folder}`, ...words] : words
  return { argv, command: argv.map(shellWord).join(' ') }
}

/**
 * A folder between the quotes of `cmd /c "set NAME=..."`. The shell around it passes carets on, and the inner cmd.exe
 * removes them: no name of a variable contains `^`, so none is expanded. In PowerShell `$` before the empty variable of
 * cmd.exe is itself. Nothing can stand for what PowerShell ends or escapes text with.
 */
function escapeForCmdAndPowerShell({ variable, folder }: NonNullable<AgentCommand['home']>, words: readonly string[]) {
  if (/["“”„`\p{Cc}]/u.test(folder)) {
    throw new DriftlineError(
      'Refused',
      `The agent’s folder ${folder} has a character that cmd and PowerShell read differently. Set ${variable} to it, then run: ${words.join(' ')}`,
      { folder }
    )
  }
  return escapeForCmd(folder).replaceAll('$', () => '$%cd:~,%')
}
