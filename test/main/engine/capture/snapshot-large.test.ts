/** [CP-6] [ST-1] The initial snapshot stores files of every size byte for byte, whichever way they pass through its workers. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readBatch, type SnapshotBatch } from '../../../../src/main/engine/capture/snapshot-batch.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const MIB = 1 << 20
const text = (length: number): Buffer => Buffer.alloc(length, 'export const line = read(path) // one of many\n')

test('[CP-6] files around the size thresholds are restored byte for byte', async () => {
  const sizes = [0, 1, 63, 64, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 7, 8 * MIB, 8 * MIB + 1]
  const files: Record<string, Buffer> = {}
  for (const size of sizes) {
    files[`text/${size}`] = text(size)
    files[`noise/${size}`] = randomBytes(size)
  }
  await using folder = await recordedFolder({ files })
  folder.store(({ records, content }) => {
    for (const [path, bytes] of Object.entries(files)) {
      const head = records.head(path)
      const version = records.version(head?.version as number)
      expect(version, path).toMatchObject({ kind: 'file', size: bytes.length, notStored: null })
      expect(content.get(version.content as number, version.size).equals(bytes), path).toBe(true)
    }
  })
})

test('a full batch leaves the rest of its jobs for the next one', () => {
  using temp = tempFolder()
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`noise-${n}`, randomBytes(3 * MIB)]))
  writeFiles(temp.path, files)
  let jobs = Object.keys(files).map((name, id) => ({ id, name, overLimit: 'too-large' as const, limit: 50 * MIB }))
  const batches: SnapshotBatch[] = []
  const names: string[] = []
  while (jobs.length > 0) {
    const batch = readBatch(temp.path, jobs)
    for (const entry of batch.entries) names.push(jobs[entry.index]?.name ?? '')
    batches.push(batch)
    jobs = jobs.slice(batch.done)
  }
  expect(batches.length).toBeGreaterThan(1)
  expect(names.sort()).toEqual(Object.keys(files).sort())
})
