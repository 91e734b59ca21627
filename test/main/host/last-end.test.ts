/** A host that was cut off is noticed by the next one; one that is cut off again and again starts safely. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeEngineFile, writeEngineFile } from '../../../src/main/host/engine-file.ts'
import { noteLastEnd } from '../../../src/main/host/last-end.ts'
import { tempFolder } from '../../support/tmp.ts'

const MINUTE = 60_000
const running = (dataDir: string): void =>
  writeEngineFile(dataDir, { pid: process.pid, socket: '/nowhere', version: '0', startedAt: 0 })

test('a host that ended well leaves nothing to say', () => {
  using place = tempFolder()
  running(place.path)
  removeEngineFile(place.path)
  expect(noteLastEnd(place.path, 0)).toEqual({ lastEnd: 'clean', safeMode: false })
})

test('the third unexpected end within ten minutes makes the next start a safe one; later ones start as ever', () => {
  using place = tempFolder()
  const start = (at: number): unknown => {
    running(place.path)
    return noteLastEnd(place.path, at)
  }
  expect(start(0)).toEqual({ lastEnd: 'unexpected', safeMode: false })
  expect(start(4 * MINUTE)).toMatchObject({ safeMode: false })
  expect(start(9 * MINUTE)).toMatchObject({ safeMode: true })
  expect(start(30 * MINUTE)).toMatchObject({ lastEnd: 'unexpected', safeMode: false })
})

test('a list of crashes that was itself cut short does not keep a host from starting', () => {
  using place = tempFolder()
  running(place.path)
  writeFileSync(join(place.path, 'crashes.json'), '[1, 2')
  expect(noteLastEnd(place.path, 0)).toEqual({ lastEnd: 'unexpected', safeMode: false })
})
