/** A file that an export writes is there as a whole, or as it was before. */
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeExport } from '../../../src/main/cli/write-export.ts'
import { tempFolder } from '../../support/tmp.ts'

async function* failing() {
  yield 'half'
  throw new Error('full')
}

test('an export that fails leaves an earlier file as it was, and no new one', async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'run.driftline')
  await expect(writeExport(file, failing())).rejects.toThrow('full')
  expect(readdirSync(temp.path)).toEqual([])
  writeFileSync(file, 'earlier')
  await expect(writeExport(file, failing())).rejects.toThrow('full')
  expect([readdirSync(temp.path), readFileSync(file, 'utf8')]).toEqual([['run.driftline'], 'earlier'])
})

test('an export replaces the file that a link names and keeps its mode, and nothing where it may not', {
  tags: ['links']
}, async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'run.md')
  writeFileSync(file, 'earlier')
  chmodSync(file, 0o600)
  symlinkSync('run.md', join(temp.path, 'link'))
  await writeExport(join(temp.path, 'link'), ['n', 'ew'])
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o600])
  await expect(writeExport(file, ['other'], { replace: false })).rejects.toThrow('EEXIST')
  expect(readFileSync(file, 'utf8')).toBe('new')
})

test('an export is written to a pipe, which stays', { tags: ['posix'] }, async () => {
  using temp = tempFolder()
  const pipe = join(temp.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = execFile('cat', [pipe])
  let read = ''
  reader.stdout?.on('data', (data: string) => (read += data))
  await expect(writeExport(pipe, failing())).rejects.toThrow('full')
  await once(reader, 'close')
  expect([read, lstatSync(pipe).isFIFO()]).toEqual(['half', true])
})
