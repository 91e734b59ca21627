import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { dataDirOf, ensureDataDir } from '../../../src/main/host/data-dir.ts'

const linux = { env: {}, platform: 'linux', home: '/home/ada' }

describe('the location of the data folder', () => {
  test('--data wins over DRIFTLINE_DATA, which wins over the platform', () => {
    const env = { DRIFTLINE_DATA: '/from/env', XDG_DATA_HOME: '/xdg' }
    expect(dataDirOf('/from/flag', { ...linux, env })).toBe(resolve('/from/flag'))
    expect(dataDirOf(undefined, { ...linux, env })).toBe(resolve('/from/env'))
    expect(dataDirOf('relative', linux)).toBe(resolve('relative'))
  })

  test('on Linux it follows XDG_DATA_HOME unless that is relative', () => {
    expect(dataDirOf(undefined, linux)).toBe(join('/home/ada/.local/share/driftline'))
    expect(dataDirOf(undefined, { ...linux, env: { XDG_DATA_HOME: '/xdg' } })).toBe(join('/xdg/driftline'))
    expect(dataDirOf(undefined, { ...linux, env: { XDG_DATA_HOME: 'xdg' } })).toBe(
      join('/home/ada/.local/share/driftline')
    )
  })

  test('on macOS and Windows it is the application data folder', () => {
    expect(dataDirOf(undefined, { ...linux, platform: 'darwin' })).toBe(
      join('/home/ada/Library/Application Support/Driftline')
    )
    const windows = { env: { APPDATA: '/roaming' }, platform: 'win32', home: '/users/ada' }
    expect(dataDirOf(undefined, windows)).toBe(join('/roaming', 'Driftline'))
  })
})

describe('creating the data folder', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'driftline-data-dir-'))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  test('it and its created parents are private', { tags: ['posix'] }, () => {
    const dir = join(scratch, 'a', 'b')
    ensureDataDir(dir)
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    expect(statSync(join(scratch, 'a')).mode & 0o077).toBe(0)
    expect(() => ensureDataDir(dir)).not.toThrow()
  })

  test('[PR-2] one that others can write to is refused and stays as it is', { tags: ['posix'] }, () => {
    const dir = join(scratch, 'shared')
    mkdirSync(dir)
    chmodSync(dir, 0o775)
    expect(() => ensureDataDir(dir)).toThrow(/other users can write to it/)
    expect(statSync(dir).mode & 0o777).toBe(0o775)
    chmodSync(dir, 0o755)
    expect(() => ensureDataDir(dir)).not.toThrow()
  })

  describe('on Windows', () => {
    const windows = { platform: 'win32', home: join(scratch, 'Users', 'ada') }
    const user = 'S-1-5-21-1-2-3-1001'
    /** Records what is restricted to whom. */
    const tools = (granted: string[], works = true) => ({
      sddl: () => null,
      ownSid: () => user,
      grantOnly: (folder: string, sids: readonly string[]) => works && granted.push(`${folder} ${sids.join(' ')}`) > 0
    })

    test('[PR-1] one outside the user folder is restricted to the user and the system, once', () => {
      const granted: string[] = []
      const dir = join(scratch, 'outside')
      ensureDataDir(dir, windows, tools(granted))
      ensureDataDir(dir, windows, tools(granted))
      expect(granted).toEqual([`${dir} ${user} S-1-5-18 S-1-5-32-544`])
      ensureDataDir(join(windows.home, 'AppData', 'Driftline'), windows, tools(granted))
      expect(granted, 'below the user folder nothing is needed').toHaveLength(1)
    })

    test('[PR-1] one that cannot be restricted is not created', () => {
      const dir = join(scratch, 'open to all')
      expect(() => ensureDataDir(dir, windows, tools([], false))).toThrow(/other users could read/)
      expect(existsSync(dir)).toBe(false)
    })
  })

  test('a file in its place is refused with a message and kept', () => {
    const file = join(scratch, 'file')
    writeFileSync(file, 'mine')
    expect(() => ensureDataDir(file)).toThrow(/cannot be used.*Nothing was changed/)
    expect(statSync(file).size).toBe(4)
  })
})
