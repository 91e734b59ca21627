/** [GW-7] Hooks and launcher as Windows' shells run them: as data everywhere, for real in the shells that are here. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listAgentStates } from '../../../../src/main/engine/agents/connect/agent-states.ts'
import { connect, disconnect } from '../../../../src/main/engine/agents/connect/connect.ts'
import {
  guardedHookCommand,
  isOwnHookCommand,
  launcherFile,
  launcherText
} from '../../../../src/main/engine/agents/connect/launcher.ts'
import { windowsLauncherText } from '../../../../src/main/engine/agents/connect/windows-hooks.ts'
import { LONG } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'

const DATA = 'C:\\Users\\Zoë O’Neil\\100% of a & b (1)'

test('[GW-7] each shell of Windows has a line of its own in the command', () => {
  expect(guardedHookCommand(DATA, 'codex', 'Stop', 'win32').split('\n')).toEqual([
    'cd . # 2>nul & 2>nul cd /d C:\\Users\\Zoë O’Neil\\100^% of a ^& b ^(1^)\\bin&& driftline.cmd hook codex Stop 2>nul & exit 0 & rem',
    'echo `# <#` >/dev/null',
    `[ -x '${DATA}\\bin\\driftline' ] && exec '${DATA}\\bin\\driftline' hook codex Stop; exit 0`,
    '#> > $null',
    `if (Test-Path -LiteralPath '${DATA.replace('’', '’’')}\\bin\\driftline.cmd') { & '${DATA.replace('’', '’’')}\\bin\\driftline.cmd' hook codex Stop }; exit 0`,
    '#'
  ])
})

test('[GW-7] the launcher names programs relative to itself, so that no name of a user is in it', () => {
  const node = 'C:\\Users\\Zoë\\AppData\\Local\\Programs\\Driftline\\Driftline.exe'
  const main = 'C:\\Users\\Zoë\\AppData\\Local\\Programs\\Driftline\\resources\\app.asar\\out\\main'
  const target = { node, isElectron: true, appImage: null, cli: `${main}\\cli.cjs` }
  const text = windowsLauncherText('C:\\Users\\Zoë\\AppData\\Roaming\\Driftline', target, `${main}\\hook.cjs`)
  const programs = '%~dp0..\\..\\..\\Local\\Programs\\Driftline'
  expect(text.split('\r\n').slice(2)).toEqual([
    'setlocal DisableDelayedExpansion',
    'if not defined DRIFTLINE_DATA set "DRIFTLINE_DATA=%~dp0.."',
    `if not exist "${programs}\\Driftline.exe" exit /b 0`,
    `if not exist "${programs}\\resources\\app.asar" exit /b 0`,
    'set ELECTRON_RUN_AS_NODE=1',
    'if "%~1"=="hook" goto hook',
    `"${programs}\\Driftline.exe" "${programs}\\resources\\app.asar\\out\\main\\cli.cjs" %*`,
    'exit /b',
    ':hook',
    `"${programs}\\Driftline.exe" "${programs}\\resources\\app.asar\\out\\main\\hook.cjs" %*`,
    'exit /b',
    ''
  ])
})

test('[GW-7] the launcher switches to UTF-8 only for other names, and keeps per cent signs', () => {
  const target = { node: 'D:\\工具\\100%\\node.exe', isElectron: false, appImage: null, cli: 'D:\\a\\cli.cjs' }
  const text = windowsLauncherText('C:\\data', target, 'D:\\a\\hook.cjs')
  expect(text.split('\r\n').slice(0, 2)).toEqual(['@echo off', 'chcp 65001 >nul'])
  expect(text).toContain('if not exist "D:\\工具\\100%%\\node.exe" exit /b 0')
})

/** Agents' settings of a user on Windows, in `home` on this disk. */
function onWindows(home: string) {
  const created = new Set<string>()
  const places = {
    dataDir: join(home, '100% of a & b (1)'),
    home,
    env: {},
    platform: 'win32',
    now: 1,
    cli: 'C:\\d\\cli.cjs',
    createdFiles: created
  }
  const state = (agent: string) => listAgentStates(places, {}).find(({ id }) => id === agent)
  return { places, state }
}

describe('hooks that an earlier version wrote for POSIX shells only', () => {
  test.for(['claude-code', 'codex', 'gemini-cli', 'qwen-code'] as const)('[GW-7] %s', (agent) => {
    using home = tempFolder()
    const { places, state } = onWindows(home.path)
    const theirs = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } }
    const { file } = connect(agent, places, true)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(theirs))
    connect(agent, { ...places, cli: process.execPath }, false)
    const current = readFileSync(file, 'utf8')
    // The earlier form: only the line for a POSIX shell.
    const lines = (command: string): string => command.split('\n')[2] ?? command
    const earlier = JSON.stringify(
      JSON.parse(current, (key, value) => (key === 'command' && value !== 'mine' ? lines(value) : value))
    )
    writeFileSync(file, earlier)
    expect(state(agent)).toMatchObject({ connected: 'partly', entries: { found: 0 } })
    expect(state(agent)?.problems.map(({ code }) => code)).toContain('outdated')
    connect(agent, places, false)
    expect(state(agent)?.connected).toBe('yes')
    const commands = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))
    expect(commands.match(/\[ -x /g), 'each event once').toHaveLength(state(agent)?.entries.wanted ?? 0)
    writeFileSync(file, earlier)
    disconnect(agent, places, false)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(theirs)
    connect(agent, places, false)
    disconnect(agent, places, false)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(theirs)
  })

  test('[GW-7] cline: PowerShell scripts replace the shell scripts, and both are removed', () => {
    using home = tempFolder()
    const { places, state } = onWindows(home.path)
    const old = join(home.path, '.cline/hooks/TaskStart')
    mkdirSync(dirname(old), { recursive: true })
    const text = '#!/bin/sh\n# Written by Driftline (driftline connect); removed by driftline disconnect.\nexit 0\n'
    writeFileSync(old, text)
    expect(state('cline')).toMatchObject({ connected: 'partly' })
    connect('cline', places, false)
    expect(existsSync(old)).toBe(false)
    expect(readFileSync(`${old}.ps1`, 'utf8')).toMatch(
      /^\ufeff# Written by Driftline[\s\S]*hook cline TaskStart }; exit 0/
    )
    expect(state('cline')?.connected).toBe('yes')
    writeFileSync(old, text)
    disconnect('cline', places, false)
    expect([existsSync(old), existsSync(`${old}.ps1`)]).toEqual([false, false])
  })
})

test('[GW-7] a command of another program that mentions ours is not ours', () => {
  const ours = guardedHookCommand(DATA, 'codex', 'Stop', 'win32')
  expect(isOwnHookCommand(DATA, 'codex', ours, 'win32')).toBe(true)
  expect(isOwnHookCommand('C:\\other', 'codex', ours, 'win32')).toBe(false)
  expect(isOwnHookCommand(DATA, 'codex', `log; ${ours.split('\n')[2]}`, 'win32')).toBe(false)
})

/** How agents call the shells that are here; see windows-hooks.ts. */
const SHELLS: Readonly<Record<string, (command: string) => readonly [program: string, ...args: string[]]>> =
  process.platform === 'win32'
    ? {
        'cmd.exe, quoted as a C program does': (command) => ['cmd.exe', '/d', '/s', '/c', command],
        'cmd.exe, as Codex does': (command) => ['cmd.exe', '/C', command],
        PowerShell: (command) => ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', command],
        'PowerShell, as Gemini CLI does': (command) => [
          ...(['powershell.exe', '-NoProfile', '-NonInteractive', '-Command'] as const),
          `${command}; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }`
        ],
        'PowerShell 7': (command) => ['pwsh.exe', '-NoProfile', '-Command', command],
        'Git Bash': (command) => ['C:\\Program Files\\Git\\bin\\bash.exe', '-c', command]
      }
    : { sh: (command) => ['sh', '-c', command], bash: (command) => ['bash', '-c', command] }

const FOLDERS = ['plain', 'with space', "it's", 'a & b', 'a{b}c', 'brackets (1) [2]', 'Zoë O’Neil', '100%^!', 'a;b,c=d']

/** Where a second shell for POSIX could read the line otherwise. */
const SIMILAR = ["it's", 'brackets (1) [2]']

describe.for(Object.entries(SHELLS))('in %s', ([shell, called]) => {
  const isHere = ((): boolean => {
    // A stand-in for PowerShell prints nothing.
    const [program, ...args] = called('exit 7')
    return spawnSync(program, args).status === 7
  })()

  test.for(shell === 'bash' && !LONG ? SIMILAR : FOLDERS)(
    '[GW-7] a hook in "%s" is called with its input, and is silent when it is gone',
    (name, { skip }) => {
      if (!isHere) return skip('this shell')
      if (name.includes('%') && process.env.DRIFTLINE_WINE) return skip('Windows itself: Wine expands variables twice')
      using temp = tempFolder()
      // On other systems a path of Windows is a name in the current folder, and found on the PATH.
      const dataDir = process.platform === 'win32' ? join(temp.path, name) : `C:\\${name}`
      const command = guardedHookCommand(dataDir, 'codex', 'Stop', 'win32')
      const { DRIFTLINE_DATA: _, ...inherited } = process.env
      const env = { ...inherited, PATH: `${temp.path}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` }
      const run = () => {
        const [program, ...args] = called(command)
        const { status, stdout, stderr } = spawnSync(program, args, { cwd: temp.path, env, input: '{"a":1}' })
        return { status, stdout: stdout.toString(), stderr: stderr.toString() }
      }
      expect(run()).toEqual({ status: 0, stdout: '', stderr: '' })
      const program = join(temp.path, 'cli.cjs')
      const print =
        process.platform === 'win32'
          ? 'process.stdin.on("data", (text) => console.log(text + process.argv.slice(2) + process.env.DRIFTLINE_DATA))'
          : 'cat; IFS=,; printf "%s%s\\n" "$*" "$DRIFTLINE_DATA"'
      for (const file of ['cli.cjs', 'hook.cjs']) writeFileSync(join(temp.path, file), print)
      // A shell is a program that runs a file, too, and starts in a tenth of Node's time.
      const node = process.platform === 'win32' ? process.execPath : '/bin/sh'
      const target = { node, isElectron: false, appImage: null, cli: program }
      const launcher = launcherFile(dataDir, 'win32')
      if (process.platform === 'win32') mkdirSync(dirname(launcher), { recursive: true })
      const place = (file: string): string => (process.platform === 'win32' ? file : join(temp.path, file))
      writeFileSync(place(launcher), windowsLauncherText(dataDir, target, join(temp.path, 'hook.cjs')))
      writeFileSync(place(launcher.slice(0, -'.cmd'.length)), launcherText(dataDir, target), { mode: 0o755 })
      const { status, stdout, stderr } = run()
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const [, input, reported] = /^(\{"a":1\})hook,codex,Stop(.*)\r?\n$/.exec(stdout) ?? []
      expect(input, stdout).toBe('{"a":1}')
      expect(join(reported ?? '')).toBe(join(dataDir))
      // Driftline itself is gone, its data folder is not.
      for (const file of ['cli.cjs', 'hook.cjs']) rmSync(join(temp.path, file))
      expect(run()).toEqual({ status: 0, stdout: '', stderr: '' })
    }
  )
})
