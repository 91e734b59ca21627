/** The main thread takes stats for the engine's. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStatBatch, type StatBatch } from '../../../src/main/engine/files/stat-batch.ts'
import { createStatSlices } from '../../../src/main/host/share-stats.ts'
import { tempFolder } from '../../support/tmp.ts'

/** The second number of its memory counts the blocks of 32 stats that are done. */
const isDone = ({ count, memory }: StatBatch): boolean => new Int32Array(memory)[1] === Math.ceil(count / 32)

test('[RC-3] a recorder answers between slices of the stats that its main thread takes', async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'file')
  writeFileSync(file, 'text')
  const batches = Array.from({ length: 4 }, () => createStatBatch(Array<string>(5000).fill(file)))
  const takeSoon = createStatSlices()
  for (const batch of batches) takeSoon(batch)
  let turns = 0
  for (; !batches.every(isDone); turns++) await setImmediate()
  // 20,000 stats take far longer than a slice.
  expect(turns).toBeGreaterThan(3)
})
