import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { clearAddress, socketAddress } from '../../../src/main/host/endpoint.ts'

const scratch = mkdtempSync(join(tmpdir(), 'driftline-endpoint-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('the socket is in the data folder if its path is short enough', () => {
  const dataDir = join('/home/ada/.local/share/driftline')
  expect(socketAddress(dataDir, 'linux')).toBe(join(dataDir, 'engine.sock'))
})

test('a path too long for a socket moves it to a short path, always the same', () => {
  const long = `/home/${'ä'.repeat(60)}`
  const address = socketAddress(long, 'linux')
  expect(Buffer.byteLength(address)).toBeLessThanOrEqual(103)
  expect(address).toBe(socketAddress(long, 'linux'))
  expect(address).not.toBe(socketAddress(`${long}x`, 'linux'))
})

test('[PR-2] on Windows each host has a named pipe whose name nobody can know before', () => {
  expect(socketAddress('C:\\a', 'win32')).toMatch(/^\\\\\.\\pipe\\driftline-[0-9a-f]{32}$/)
  expect(socketAddress('C:\\a', 'win32')).not.toBe(socketAddress('C:\\a', 'win32'))
})

test('a stale socket is removed; a link or file in its place is refused and kept', { tags: ['links'] }, async () => {
  const address = join(scratch, 'engine.sock')
  const dead = createServer()
  await new Promise<void>((done) => dead.listen(address, done))
  clearAddress(address, scratch)
  expect(() => clearAddress(address, scratch)).not.toThrow()
  dead.close()

  writeFileSync(join(scratch, 'precious'), 'keep')
  symlinkSync(join(scratch, 'precious'), address)
  expect(() => clearAddress(address, scratch)).toThrow(/is not a socket/)
})

test('a socket outside the data folder gets a private folder, never a symbolic link', { tags: ['links'] }, () => {
  const far = join(scratch, 'runtime')
  clearAddress(join(far, 'x.sock'), '/somewhere/else')
  mkdirSync(join(scratch, 'real'))
  symlinkSync(join(scratch, 'real'), join(scratch, 'linked'))
  expect(() => clearAddress(join(scratch, 'linked', 'x.sock'), '/somewhere/else')).toThrow(/belongs to another user/)
})
