import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findHost, readEngineFile, removeEngineFile, writeEngineFile } from '../../../src/main/host/engine-file.ts'

const content = {
  pid: process.pid,
  socket: '/d/engine.sock',
  url: 'http://127.0.0.1:1/#token=t',
  version: '1',
  startedAt: 5
}
let dir: string
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'driftline-engine-file-'))
  file = join(dir, 'engine.json')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('engine.json is read as written', () => {
  writeEngineFile(dir, content)
  expect(readEngineFile(dir)).toEqual(content)
})

test('[RC-1] it is replaced while others read it again and again, as those who wait for a recorder do', async () => {
  writeEngineFile(dir, content)
  const read = `const fs = require('node:fs')
    process.stdin.once('end', () => process.exit()).resume()
    setInterval(() => fs.closeSync(fs.openSync(${JSON.stringify(file)})), 1)
    console.log('reads')`
  const reader = spawn(process.execPath, ['-e', read])
  const ended = once(reader, 'exit')
  await once(reader.stdout, 'data')
  for (let startedAt = 1; startedAt <= 50; startedAt++) {
    writeEngineFile(dir, { ...content, startedAt })
    expect(readEngineFile(dir)?.startedAt).toBe(startedAt)
  }
  reader.stdin.end()
  expect(await ended).toEqual([0, null])
})

test('only its owner can read engine.json', { tags: ['posix'] }, () => {
  writeEngineFile(dir, content)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a symbolic link in its place is replaced when writing and refused when reading', { tags: ['links'] }, () => {
  const elsewhere = join(dir, 'elsewhere')
  writeFileSync(elsewhere, JSON.stringify(content), { mode: 0o600 })
  symlinkSync(elsewhere, file)
  expect(readEngineFile(dir)).toBeNull()
  writeEngineFile(dir, { ...content, pid: 7 })
  expect(readFileSync(elsewhere, 'utf8')).toBe(JSON.stringify(content))
  expect(readEngineFile(dir)?.pid).toBe(7)
})

test('a file that others can read is ignored', { tags: ['posix'] }, () => {
  writeEngineFile(dir, content)
  chmodSync(file, 0o644)
  expect(readEngineFile(dir)).toBeNull()
})

test('[PR-2] a socket in a folder that another user can change is not used', { tags: ['posix'] }, () => {
  const folder = join(dir, 'runtime')
  const elsewhere = { ...content, socket: join(folder, 'x.sock') }
  mkdirSync(folder, { mode: 0o700 })
  writeEngineFile(dir, elsewhere)
  expect(readEngineFile(dir)).toEqual(elsewhere)
  chmodSync(folder, 0o777)
  expect(readEngineFile(dir)).toBeNull()
})

test('[PR-2] the pipe of a host that has ended is not used on Windows', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeEngineFile(dir, { ...content, pid })
  expect(findHost(dir, 'win32')).toBeNull()
  writeEngineFile(dir, content)
  expect(findHost(dir, 'win32')).toEqual(content)
})

test.each(['', '{', 'null', '[]', '{"pid":"1"}', '{"pid":1,"socket":"s"}'])('nonsense (%s) names no host', (text) => {
  writeFileSync(file, text, { mode: 0o600 })
  expect(readEngineFile(dir)).toBeNull()
})

test('a host removes only its own file, never that of a successor', () => {
  writeEngineFile(dir, { ...content, pid: process.pid + 1 })
  removeEngineFile(dir)
  expect(existsSync(file)).toBe(true)
  writeEngineFile(dir, content)
  removeEngineFile(dir)
  expect(existsSync(file)).toBe(false)
})
