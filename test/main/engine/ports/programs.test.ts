/** How `driftline run` and agents' programs are found and started, on the disk of this system with the rules of each. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { batchArguments, findProgram, programStart } from '../../../../src/main/engine/ports/programs.ts'
import { tempFolder } from '../../../support/tmp.ts'

const PATHEXT = '.COM;.EXE;.BAT;.CMD;.VBS;.JS'

test('[RN-1] a POSIX system finds only executable files on the PATH, and starts a name as it is', {
  tags: ['posix']
}, () => {
  using temp = tempFolder()
  writeFileSync(join(temp.path, 'tool'), '', { mode: 0o755 })
  writeFileSync(join(temp.path, 'text'), '', { mode: 0o644 })
  mkdirSync(join(temp.path, 'bin/tool'), { recursive: true })
  const place = { cwd: temp.path, env: { PATH: `/nowhere:${join(temp.path, 'bin')}:${temp.path}` } }
  expect(findProgram('tool', place), 'and no folder of that name').toBe(join(temp.path, 'tool'))
  expect(findProgram('./tool', { ...place, env: {} })).toBe(join(temp.path, 'tool'))
  expect(findProgram('text', place)).toBeNull()
  expect(programStart('tool', ['a b'], place)).toEqual({ file: 'tool', args: ['a b'], verbatim: false })
})

/** An argument and how it reaches a batch file. */
const QUOTED: readonly (readonly [argument: string, quoted: string])[] = [
  ['plain', 'plain'],
  ['C:\\a\\b', 'C:\\a\\b'],
  ['', '""'],
  ['a b', '"a b"'],
  ['say "hi"', '"say ""hi"""'],
  ['a" & whoami & "b', '"a"" & whoami & ""b"'],
  ['ends\\', '"ends\\\\"'],
  ['slash\\"quote', '"slash\\\\""quote"'],
  ['100%', '"100%%cd:~,%"'],
  ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['a^b', '"a^b"'],
  ['a|b<c>d', '"a|b<c>d"'],
  ['!NAME!', '"!NAME!"'],
  ['Übergröße', '"Übergröße"']
]

test.for(QUOTED)('[RN-1] a batch file gets %j quoted as %s', ([argument, quoted]) => {
  expect(batchArguments('C:\\100% & b\\tool.cmd', [argument])).toEqual([
    ...['/d', '/e:on', '/v:off', '/s', '/c'],
    `""C:\\100%%cd:~,% & b\\tool.cmd" ${quoted}"`
  ])
})

test('[RN-1] a line break is refused: cmd.exe would drop what follows', () => {
  expect(() => batchArguments('C:\\tool.cmd', ['a\nb'])).toThrow('line break')
})

test('[RN-1] Windows finds a name by PATHEXT, in the current folder first, and gives a batch file its exact arguments, and cmd.exe its line', {
  tags: ['windows']
}, () => {
  using temp = tempFolder()
  const here = join(temp.path, 'current folder')
  const tools = join(temp.path, 'a & b (é)')
  for (const folder of [here, tools]) mkdirSync(folder)
  const show = join(tools, 'show.mjs')
  writeFileSync(show, 'console.log(JSON.stringify(process.argv.slice(2)))')
  // As npm writes it: a POSIX shell file and a batch file of one name.
  writeFileSync(join(tools, 'tool'), '#!/bin/sh\n')
  writeFileSync(join(tools, 'tool.cmd'), `@echo off\r\n"${process.execPath}" "%~dp0show.mjs" %*\r\n`)
  const env = { ...process.env, PATH: `C:\\nowhere;"${tools}";${process.env.PATH}`, PATHEXT }
  expect(findProgram('tool', { cwd: here, env })?.toLowerCase()).toBe(join(tools, 'tool.cmd').toLowerCase())
  const wanted = QUOTED.map(([argument]) => argument)
  const { file, args, verbatim } = programStart('tool', wanted, { cwd: here, env })
  const called = spawnSync(file, args, { cwd: here, env, windowsVerbatimArguments: verbatim, encoding: 'utf8' })
  expect(called.stderr).toBe('')
  expect(JSON.parse(called.stdout)).toEqual(wanted)
  const line = `"${process.execPath}" "${show}" "a b" && "${process.execPath}" -p "'c d'"`
  const shell = programStart('cmd', ['/d', '/s', '/c', line], { cwd: here, env })
  const said = spawnSync(shell.file, shell.args, {
    cwd: here,
    windowsVerbatimArguments: shell.verbatim,
    encoding: 'utf8'
  })
  expect([said.stdout.split(/\r?\n/), said.stderr]).toEqual([['["a b"]', 'c d', ''], ''])
  writeFileSync(join(here, 'tool.bat'), '')
  expect(findProgram('tool', { cwd: here, env })?.toLowerCase()).toBe(join(here, 'tool.bat').toLowerCase())
  expect(findProgram('nothing-of-this-name', { cwd: here, env })).toBeNull()
})
