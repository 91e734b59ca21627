import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireHostLock } from '../../../src/main/engine/store/host-lock.ts'

let dir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'driftline-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

async function candidate(): Promise<{ child: ChildProcess; answer: string }> {
  const child = spawn(process.execPath, [resolve('test/support/hold-host-lock.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  children.push(child)
  const [answer] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, answer: String(answer) }
}

test('of several processes at once exactly one becomes the host', async () => {
  const answers = (await Promise.all([candidate(), candidate(), candidate()])).map(({ answer }) => answer)
  expect(answers.sort()).toEqual(['held', 'refused', 'refused'])
})

test('a killed host releases its lock at once', async () => {
  const { child, answer } = await candidate()
  expect(answer).toBe('held')
  expect(acquireHostLock(dir)).toBeNull()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = acquireHostLock(dir)
  expect(lock).not.toBeNull()
  lock?.release()
})

test('in one process the lock is held once, and again after its release', async () => {
  const first = acquireHostLock(dir)
  expect(first).not.toBeNull()
  expect(acquireHostLock(dir)).toBeNull()
  // Trying must not have dropped the lock: another process is still refused.
  expect((await candidate()).answer).toBe('refused')
  first?.release()
  first?.release()
  const second = acquireHostLock(dir)
  expect(second).not.toBeNull()
  second?.release()
})

test('the lock file is private, and never opened through a link', { tags: ['links'] }, () => {
  acquireHostLock(dir)?.release()
  expect(statSync(join(dir, 'host.db')).mode & 0o777).toBe(0o600)
  rmSync(join(dir, 'host.db'))
  writeFileSync(join(dir, 'precious'), '')
  symlinkSync(join(dir, 'precious'), join(dir, 'host.db'))
  expect(() => acquireHostLock(dir)).toThrow(/not a regular file/)
})
