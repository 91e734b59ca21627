/** [UI-12] The command that resumes a session: as data for every system, for real in the shells that are here. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resumeCommand } from '../../../../src/main/engine/agents/resume-command.ts'
import { PROJECT, recordedEvents, replay } from '../../../support/agent-replay.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'

const WORDS = ['claude', '--resume', 'id-1']
const variable = 'CLAUDE_CONFIG_DIR'
const onWindows = (folder: string) => resumeCommand({ words: WORDS, home: { variable, folder } }, 'win32')

test('[UI-12] an agent in its default folder needs nothing but its program', () => {
  for (const platform of ['win32', 'linux', 'darwin'])
    expect(resumeCommand({ words: WORDS, home: null }, platform)).toEqual({
      argv: WORDS,
      command: 'claude --resume id-1'
    })
})

test('[UI-12] a folder of its own is a variable, in the form of each system', () => {
  const folder = "/home/ada/else where's"
  expect(resumeCommand({ words: WORDS, home: { variable, folder } }, 'darwin')).toEqual({
    argv: ['env', `${variable}=${folder}`, ...WORDS],
    command: `env 'CLAUDE_CONFIG_DIR=/home/ada/else where'\\''s' claude --resume id-1`
  })
  expect(onWindows('D:\\else where').command).toBe(
    'cmd /d /c "set CLAUDE_CONFIG_DIR=D:\\else where&& claude --resume id-1"'
  )
  expect(onWindows('D:\\else where').argv).toEqual([
    'cmd',
    '/d',
    '/c',
    'set CLAUDE_CONFIG_DIR=D:\\else where&& claude --resume id-1'
  ])
})

test('[UI-12] on Windows neither shell expands or starts anything that is in the folder’s name', () => {
  expect(onWindows('D:\\a & calc (1)\\%PATH%^!').command).toContain('=D:\\a ^& calc ^(1^)\\^%PATH^%^^^!&& claude')
  expect(onWindows('D:\\$HOME').command).toContain('=D:\\$%cd:~,%HOME&& claude')
  for (const name of ['a”; calc; “', '`b', '„c', 'd"e'])
    expect(() => onWindows(`D:\\${name}`)).toThrow(/Set CLAUDE_CONFIG_DIR to it, then run: claude --resume id-1$/)
})

test('[UI-12] a session of an agent with another folder gets that form', async () => {
  await using folder = await recordedFolder()
  const elsewhere = join(folder.home, "else where's")
  const agent = createTranscriptAgent(folder, undefined, { home: elsewhere })
  await agent.say('one', 'did one')
  const request = { workspace: folder.workspace, session: agent.session, fork: false }
  const { argv, command } = await folder.engine.call('sessions.resume', request)
  const words = ['claude', '--resume', agent.session]
  expect({ argv, command }).toEqual(resumeCommand({ words, home: { variable, folder: elsewhere } }))
})

type Call = readonly [program: string, args: readonly string[], options?: SpawnSyncOptions]
/** How the text gets into the shells that are here. */
const SHELLS: Readonly<Record<string, (command: string) => Call>> =
  process.platform === 'win32'
    ? {
        'cmd.exe': (command) => ['cmd.exe', ['/d', '/s', '/c', `"${command}"`], { windowsVerbatimArguments: true }],
        PowerShell: (command) => ['powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]],
        'PowerShell 7': (command) => ['pwsh.exe', ['-NoProfile', '-Command', command]]
      }
    : { sh: (command) => ['sh', ['-c', command]], bash: (command) => ['bash', ['-c', command]] }

const FOLDERS = ['plain', 'with space', "it's", 'a & b', 'a{b}c', '(1) [2]', 'Zoë O’Neil', '100%^!', 'a;b,c=d', '$HOME']

/** The text's `claude` prints its variable and its arguments, each with a line feed. */
function standIn(folder: string): NodeJS.ProcessEnv {
  const program = join(folder, 'print.cjs')
  writeFileSync(program, `console.log([process.env.${variable}, ...process.argv.slice(2)].join('\\n'))`)
  writeFileSync(join(folder, 'claude.cmd'), `@"${process.execPath}" "${program}" %*\r\n`)
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\nprintf '%s\\n' "$${variable}" "$@"\n`, { mode: 0o755 })
  return { ...process.env, PATH: `${folder}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` }
}

describe.for(Object.entries(SHELLS))('in %s', ([, called]) => {
  const isHere = ((): boolean => {
    const [program, args, options] = called('exit 7')
    return spawnSync(program, args, options).status === 7
  })()

  test.for(FOLDERS)('[UI-12] an agent with the folder "%s" is started with it', (name, { skip }) => {
    if (!isHere) return skip('this shell')
    if (/[%$]/.test(name) && process.env.DRIFTLINE_WINE) return skip('Windows itself: Wine expands variables twice')
    using temp = tempFolder()
    const programs = join(temp.path, 'bin')
    mkdirSync(programs)
    const env = standIn(programs)
    const folder = join(temp.path, name)
    const { argv, command } = resumeCommand({ words: WORDS, home: { variable, folder } })
    const [file = '', ...args] = argv
    for (const [program, given, options] of [called(command), [file, args, {}] as Call]) {
      const { stdout, stderr } = spawnSync(program, given, { ...options, cwd: temp.path, env, encoding: 'utf8' })
      expect(stderr).toBe('')
      expect(String(stdout)).toBe(`${[folder, '--resume', 'id-1'].join('\n')}\n`)
    }
  })
})

test('[RS-6] an undo of a session that no command resumes says how to pass it on, not that nothing changed', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  await replay(folder, 'cline', recordedEvents('cline', folder.root))
  await folder.apply({ kind: 'restore', target: 'latest', mode: 'both' })
  const { conversation } = await folder.apply({ kind: 'undo' })
  expect(conversation?.failure).toMatchObject({
    message: expect.stringMatching(/`driftline resume \S+ --fork` prepares/)
  })
  expect(conversation?.failure).toMatchObject({ message: expect.not.stringContaining('Nothing was changed') })
})
