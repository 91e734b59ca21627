import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireHostLock, type HeldLock } from '../../../src/main/engine/store/host-lock.ts'
import { writeEngineFile } from '../../../src/main/host/engine-file.ts'
import { holdDataDirSoon } from '../../../src/main/host/hold-data-dir.ts'

const MINUTE_MS = 60_000
let dir: string
let held: HeldLock | null

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'driftline-hold-'))
  held = acquireHostLock(dir)
})
afterEach(() => {
  held?.release()
  rmSync(dir, { recursive: true, force: true })
})

test('[RC-2] a recorder waits for one that is about to end, however long that takes', async () => {
  const waiting = holdDataDirSoon(dir, MINUTE_MS)
  held?.release()
  held = await waiting
  expect(acquireHostLock(dir)).toBeNull()
})

test('[RC-1] it gives way at once to one that others find', async () => {
  writeEngineFile(dir, { pid: process.pid, socket: 'nowhere', version: '0', startedAt: 0 })
  await expect(holdDataDirSoon(dir, MINUTE_MS)).rejects.toMatchObject({ code: 'SecondHost' })
})

test('[RC-1] it gives way to one that stays unknown', async () => {
  await expect(holdDataDirSoon(dir, 0)).rejects.toMatchObject({ code: 'SecondHost' })
})
