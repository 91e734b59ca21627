/** The threads that read the files of an initial snapshot, as built. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { packedContent, type SnapshotBatch } from '../../../../src/main/engine/capture/snapshot-batch.ts'
import { startSnapshotThreads } from '../../../../src/main/engine/capture/snapshot-threads.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { INGEST_WORKER } from '../../../support/programs.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const MIB = 1 << 20
const LIMIT = { limit: 50 * MIB, overLimit: 'too-large' } as const

const hashIn = (batch: SnapshotBatch): string =>
  packedContent(batch, batch.entries[0] as SnapshotBatch['entries'][number]).hash.toString('hex')

const hashOf = (bytes: string | Buffer): string => sha256(Buffer.from(bytes)).toString('hex')

test('[CP-6] each batch is answered with its own files, however many are read ahead', async () => {
  using temp = tempFolder()
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}`, 'x'.repeat(n * 1000)]))
  writeFiles(temp.path, files)
  await using reader = startSnapshotThreads(pathToFileURL(INGEST_WORKER), { root: temp.path, threads: 3 })
  const batches = await Promise.all(Object.keys(files).map((name, id) => reader.read([{ id, name, ...LIMIT }])))
  expect(batches.map(hashIn)).toEqual(Object.values(files).map(hashOf))
})

test('nothing more is read while 32 MB wait to be written', async () => {
  using temp = tempFolder()
  const names = ['0', '1', '2', '3', '4']
  for (const name of names) writeFileSync(join(temp.path, name), randomBytes(8 * MIB))
  const start = () => startSnapshotThreads(pathToFileURL(INGEST_WORKER), { root: temp.path, threads: 1 })
  await using reader = start()
  await using other = start()
  const reads = names.map((name, id) => reader.read([{ id, name, ...LIMIT }]))
  const first = await Promise.all(reads.slice(0, 4))
  expect(first.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeGreaterThan(32 * MIB)
  // A thread that need not wait would have read the fifth by now. This one has not: it reads the new bytes.
  await other.read([{ id: 4, name: '4', ...LIMIT }])
  writeFileSync(join(temp.path, '4'), 'written later')
  for (const batch of first) reader.release(batch)
  expect(hashIn((await reads[4]) as SnapshotBatch)).toBe(hashOf('written later'))
})

test('a thread that ends by an error fails what it was asked for, before and after', async () => {
  using temp = tempFolder()
  const program = join(temp.path, 'broken.mjs')
  writeFileSync(program, "throw new Error('cannot start')")
  await using reader = startSnapshotThreads(pathToFileURL(program), { root: temp.path, threads: 1 })
  await expect(reader.read([])).rejects.toThrow('cannot start')
  await expect(reader.read([])).rejects.toThrow('cannot start')
})
