import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/main/cli/commands.ts'
import { CALLS_AT_ONCE, folderWithoutRecorder } from '../../../src/main/cli/early-start.ts'
import { ENGINE_FILE } from '../../../src/main/host/engine-file.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'driftline-early-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const folderOf = (line: string, env = {}) =>
  folderWithoutRecorder(line.replace('DATA', dataDir).split(' '), env as NodeJS.ProcessEnv)

describe('a recorder is started before its command is loaded', () => {
  it('for a command that calls it at once, wherever its options are', () => {
    expect(folderOf('status --data DATA')).toBe(dataDir)
    expect(folderOf('--data=DATA run --title T -- make')).toBe(dataDir)
  })

  it('not for one that calls none', () => {
    for (const line of ['recorder stop --data DATA', 'status --help --data DATA', '--data DATA --version'])
      expect(folderOf(line), line).toBeNull()
    expect(folderOf('status --host build --data DATA')).toBeNull()
    expect(folderOf('status --host=build --data DATA')).toBeNull()
  })

  it('not beside one that has left its name, which may run', () => {
    writeFileSync(join(dataDir, ENGINE_FILE), '{}')
    expect(folderOf('status --data DATA')).toBeNull()
  })

  it('not where no process may stay, and not without a data folder', () => {
    expect(folderOf('status --data DATA', { DRIFTLINE_RECORDER: 'off' })).toBeNull()
    expect(folderOf('status --data DATA/missing')).toBeNull()
  })

  it('not in a folder that others can change', { tags: ['posix'] }, () => {
    chmodSync(dataDir, 0o777)
    expect(folderOf('status --data DATA')).toBeNull()
  })

  it('[GW-6] in the data folder of the command, not of the one that it runs', () => {
    const other = join(dataDir, 'other')
    mkdirSync(other, { mode: 0o700 })
    expect(folderOf(`run --data DATA -- driftline status --data ${other}`)).toBe(dataDir)
  })

  it('for commands that there are', () => {
    const names = new Set(COMMANDS.map(({ name }) => name))
    expect([...CALLS_AT_ONCE].filter((name) => !names.has(name))).toEqual([])
  })
})
