import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { openBarrier } from '../../../../src/main/engine/watch/barrier.ts'
import { tempFolder } from '../../../support/tmp.ts'

test('[RC-2] a data folder that was deleted is not made again by waits for the watcher', {
  tags: ['file-events']
}, async () => {
  using temp = tempFolder()
  const data = join(temp.path, 'data')
  mkdirSync(data)
  const barrier = openBarrier(join(data, 'barrier'), systemClock)
  try {
    expect(await barrier.wait()).toBe(true)
    rmSync(data, { recursive: true })
    // The first wait closes the watch of the deleted folder, the second one opens another.
    expect([await barrier.wait(), await barrier.wait()]).toEqual([false, false])
    expect(existsSync(data)).toBe(false)
  } finally {
    barrier.close()
  }
})
