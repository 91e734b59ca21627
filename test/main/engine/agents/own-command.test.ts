/** [UI-12] The command that the window names works as it is printed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { launcherFile } from '../../../../src/main/engine/agents/connect/launcher.ts'
import { ownCommand } from '../../../../src/main/engine/agents/connect/own-command.ts'
import { tempFolder } from '../../../support/tmp.ts'

test('[UI-12] without `driftline` on the PATH it is the launcher, written if needed, quoted for the shell', {
  tags: ['posix']
}, () => {
  using place = tempFolder()
  const cli = join(place.path, 'cli.cjs')
  writeFileSync(cli, 'console.log(process.argv.slice(2).join())')
  for (const name of ['data', "it's & $mine"]) {
    const dataDir = join(place.path, name)
    mkdirSync(dataDir)
    const command = ownCommand({ dataDir, cli, env: { PATH: '' } })
    expect(command === launcherFile(dataDir), 'quoted only if needed').toBe(name === 'data')
    expect(execFileSync('/bin/sh', ['-c', `${command} run -- x`], { encoding: 'utf8' })).toBe('run,--,x\n')
  }
})

test('[UI-12] with `driftline` on the PATH it is that name, and nothing is written', { tags: ['posix'] }, () => {
  using place = tempFolder()
  writeFileSync(join(place.path, 'driftline'), '#!/bin/sh\n', { mode: 0o755 })
  const dataDir = join(place.path, 'missing', 'data')
  expect(ownCommand({ dataDir, cli: '/none', env: { PATH: place.path } })).toBe('driftline')
})

test('[UI-12] where the launcher cannot be written, the command keeps its plain name', { tags: ['posix'] }, () => {
  using place = tempFolder()
  writeFileSync(join(place.path, 'data'), 'a file')
  expect(ownCommand({ dataDir: join(place.path, 'data'), cli: '/none', env: { PATH: '' } })).toBe('driftline')
})
