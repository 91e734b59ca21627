/** A host that was cut off is noticed by the next one; one that is cut off again and again starts safely. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeEngineFile, writeEngineFile } from '../../../src/main/host/engine-file.ts'
import { recordLastEnd } from '../../../src/main/host/last-end.ts'
import { tempFolder } from '../../support/tmp.ts'

const MINUTE = 60_000
const running = (dataDir: string): void =>
  writeEngineFile(dataDir, { pid: process.pid, socket: join(dataDir, 'nowhere'), version: '0', startedAt: 0 })

test('a host that exited cleanly reports a clean end', () => {
  using place = tempFolder()
  running(place.path)
  removeEngineFile(place.path)
  expect(recordLastEnd(place.path, 0)).toEqual({ lastEnd: 'clean', safeMode: false })
})

test('the third unexpected end within ten minutes starts safe mode once', () => {
  using place = tempFolder()
  const start = (at: number): unknown => {
    running(place.path)
    return recordLastEnd(place.path, at)
  }
  expect(start(0)).toEqual({ lastEnd: 'unexpected', safeMode: false })
  expect(start(4 * MINUTE)).toMatchObject({ safeMode: false })
  expect(start(9 * MINUTE)).toMatchObject({ safeMode: true })
  expect(start(30 * MINUTE)).toMatchObject({ lastEnd: 'unexpected', safeMode: false })
})

test('a truncated list of crashes does not prevent a start', () => {
  using place = tempFolder()
  running(place.path)
  writeFileSync(join(place.path, 'crashes.json'), '[1, 2')
  expect(recordLastEnd(place.path, 0)).toEqual({ lastEnd: 'unexpected', safeMode: false })
})

test('[RC-4] a recorder starts where the end of the last one cannot be noted', () => {
  using place = tempFolder()
  running(place.path)
  for (const file of ['crashes.json', 'last-end.json']) mkdirSync(join(place.path, file))
  expect(recordLastEnd(place.path, 0)).toEqual({ lastEnd: 'unexpected', safeMode: false })
})
