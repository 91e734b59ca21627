/**
 * Hooks and launcher on Windows, where an agent may use any of three shells, also by what else is installed:
 *
 * - Claude Code: Git Bash, and PowerShell where Git is not installed (its hooks reference;
 *   anthropics/claude-code#59225).
 * - Codex: the session's shell, usually PowerShell, else `cmd.exe /C` (`build_command` in codex-rs/hooks/src/engine/
 *   command_runner.rs; max-sixty/worktrunk#4239).
 * - Gemini CLI 0.61: PowerShell; it appends `; if ($LASTEXITCODE …` to the command (`getShellConfiguration`,
 *   `executeCommandHook`).
 * - Qwen Code 0.24: `cmd.exe /d /s /c`; Git Bash when started in it; PowerShell if ComSpec names it
 *   (`getShellConfiguration`).
 * - Cline: `powershell.exe -File` with EVENT.ps1 (cline/cline#9489). opencode: our plugin starts the launcher.
 *
 * So one command has to be right in all three.
 */
import { win32 } from 'node:path'
import type { LauncherTarget } from './launcher-target.ts'

/**
 * `posix`: the command for a POSIX shell; it must exit. Each line is run by one shell, and means nothing to the others:
 *
 * 1. cmd.exe runs the first line only. For the others `cd .` does nothing, and the rest is a comment; in cmd.exe it
 *    makes `cd` fail. There is no quote in it, because agents quote the command as C programs do (`\"`), and cmd.exe
 *    does not know that. So the folder is entered: `cd` alone takes a path with spaces that is not quoted.
 * 2. `echo` writes nothing: a POSIX shell substitutes a comment, and in PowerShell a comment lasts until `#>`.
 * 3. The POSIX command.
 * 4. The end of PowerShell's comment, then its command, and an empty comment that takes what Gemini CLI appends.
 *
 * Nothing here changes from version to version: Codex trusts a hook by its text.
 */
export function windowsHookCommand(launcher: string, words: readonly string[], posix: string): string {
  const call = words.join(' ')
  const { dir: folder, base } = win32.parse(launcher)
  return [
    `cd . # 2>nul & 2>nul cd /d ${escapeForCmd(folder)}&& ${base} ${call} 2>nul & exit 0 & rem`,
    'echo `# <#` >/dev/null',
    posix,
    '#> > $null',
    powerShellCommand(launcher, words),
    '#'
  ].join('\n')
}

/** Silent and successful when the launcher is gone. */
export function powerShellCommand(launcher: string, words: readonly string[]): string {
  const file = quotePowerShell(launcher)
  return `if (Test-Path -LiteralPath ${file}) { & ${file} ${words.join(' ')} }; exit 0`
}

/** A path for `cd` and `set` in cmd.exe, without quotes. A variable's name does not end with `^%`, so none is expanded. */
export function escapeForCmd(path: string): string {
  return path.replace(/[()%!^&|<>]/g, '^$&')
}

/** PowerShell takes typographic quotes for straight ones. */
function quotePowerShell(word: string): string {
  return `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`
}

/**
 * The launcher for cmd.exe and PowerShell. Paths are relative to it where they can be: cmd.exe reads the file in the
 * code page of the console, so a user's name that is not ASCII would be read as another; elsewhere it is switched to
 * UTF-8.
 */
export function windowsLauncherText(dataDir: string, { node, isElectron, cli }: LauncherTarget, hook: string): string {
  const folder = win32.join(dataDir, 'bin')
  const [archive] = /^.*?app\.asar(?=[\\/])/.exec(cli) ?? []
  const pathOf = (file: string): string => {
    const relative = win32.relative(folder, file)
    return (win32.isAbsolute(relative) ? '' : '%~dp0') + (relative || file).replaceAll('%', '%%')
  }
  const [start, program, needed, hookProgram] = [node, cli, archive ?? cli, hook].map(pathOf)
  const lines = [
    'rem Written by Driftline, and updated when it moves. Called by agents: starts one Node process, or does nothing.',
    'setlocal DisableDelayedExpansion',
    'if not defined DRIFTLINE_DATA set "DRIFTLINE_DATA=%~dp0.."',
    `if not exist "${start}" exit /b 0`,
    `if not exist "${needed}" exit /b 0`,
    ...(isElectron ? ['set ELECTRON_RUN_AS_NODE=1'] : []),
    'if "%~1"=="hook" goto hook',
    `"${start}" "${program}" %*`,
    'exit /b',
    ':hook',
    `"${start}" "${hookProgram}" %*`,
    'exit /b'
  ]
  const isAscii = lines.every((line) => /^[\0-\x7f]*$/.test(line))
  return ['@echo off', ...(isAscii ? [] : ['chcp 65001 >nul']), ...lines, ''].join('\r\n')
}
