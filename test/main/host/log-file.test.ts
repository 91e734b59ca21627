/** The recorder's log file: levels, rotation, and what is never written. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { DriftlineError } from '../../../src/contract/errors.ts'
import { log, setLogLevel } from '../../../src/main/engine/ports/log.ts'
import { logFileOf } from '../../../src/main/host/data-dir.ts'
import { openLogFile } from '../../../src/main/host/log-file.ts'
import { tempFolder } from '../../support/tmp.ts'

afterEach(() => {
  setLogLevel('info')
  vi.restoreAllMocks()
})

test('entries have a time and a level; warnings and errors are printed as well', async () => {
  using temp = tempFolder()
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const file = openLogFile(temp.path)
  log.info('recorder started')
  log.debug('not at this level')
  log.error('a step failed', new DriftlineError('Refused', 'the folder is missing'))
  log.error('a bug', new RangeError('out of range'))
  setLogLevel('debug')
  log.debug('at this level')
  await file.close()
  const text = readFileSync(logFileOf(temp.path), 'utf8')
  const time = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z `
  expect(text).toMatch(new RegExp(`${time}info  recorder started\n`))
  expect(text).toMatch(/ error a step failed: the folder is missing\n/)
  expect(text, 'an unexpected error has its stack, indented').toMatch(/ error a bug: RangeError: out of range\n {6}at /)
  expect(text).toMatch(/ debug at this level\n/)
  expect(text).not.toContain('not at this level')
  expect(printed.mock.calls.map(([line]) => String(line).split('\n')[0])).toEqual([
    'driftline: a step failed: the folder is missing',
    'driftline: a bug: RangeError: out of range'
  ])
})

test('an unknown level changes nothing', async () => {
  using temp = tempFolder()
  const file = openLogFile(temp.path)
  setLogLevel('loud')
  log.info('still here')
  await file.close()
  expect(readFileSync(logFileOf(temp.path), 'utf8')).toContain('still here')
})

test('only its owner can read it', { tags: ['posix'] }, async () => {
  using temp = tempFolder()
  const file = openLogFile(temp.path)
  log.info('recorder started')
  await file.close()
  expect(statSync(logFileOf(temp.path)).mode & 0o077).toBe(0)
  expect(statSync(join(temp.path, 'logs')).mode & 0o077).toBe(0)
})

test('a full file is rotated, and five older files are kept', async () => {
  using temp = tempFolder()
  for (let n = 0; n < 8; n++) {
    const file = openLogFile(temp.path)
    for (let line = 0; line < 300; line++) log.info('x'.repeat(8_000))
    await file.close()
  }
  const older = [1, 2, 3, 4, 5, 6].map((n) => existsSync(`${logFileOf(temp.path)}.${n}`))
  expect(older).toEqual([true, true, true, true, true, false])
})

test('a log that cannot be written is reported once and stops nothing', async () => {
  using temp = tempFolder()
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const file = openLogFile(join(temp.path, 'missing\0name'))
  log.info('one')
  log.info('two')
  await file.close()
  await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(1))
})
