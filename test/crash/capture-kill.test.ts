/** A process killed while it records: what it committed is whole, the rest is found by the next look. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startCrashChild } from '../support/crash-process.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { LONG, SEED } from '../support/scale.ts'
import { remove, writeFiles } from '../support/tree.ts'
import { createRandom } from './random.ts'

const FILES = LONG ? 1500 : 300
const KILLS = LONG ? 6 : 2

test(`[B15] [LG-2] [CP-3] killed ${KILLS} times while it records ${FILES} changed files: nothing is broken, nothing is missed (seed ${SEED})`, async () => {
  const paths = Array.from({ length: FILES }, (_, i) => `d${i % 23}/e${i % 5}/f${i}`)
  await using folder = await recordedFolder({ files: Object.fromEntries(paths.map((path) => [path, `old ${path}\n`])) })
  const before = folder.tree()
  const random = createRandom(SEED)
  const { workspace } = folder
  for (let kill = 0; kill < KILLS; kill++) {
    for (const [i, path] of paths.entries())
      if (i % KILLS === kill) writeFiles(folder.root, { [path]: `new ${path}\n`.repeat(20) })
    writeFiles(folder.root, { [`added${kill}/x/y`]: 'y' })
    const { child, ended } = startCrashChild(folder, { do: 'check' })
    await once(child, 'message')
    const timer = setTimeout(() => child.kill('SIGKILL'), random.below(150))
    await ended
    clearTimeout(timer)
    expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  }
  remove(folder.root, 'd0')
  const { drift } = await folder.engine.call('drift.list', { workspace, check: true })
  const files =
    (drift[0]?.count ?? 0) -
    drift.flatMap((one) => one.paths).filter((path) => /^(added\d+(\/x)?|d0(\/e\d)?)$/.test(path)).length
  expect(files).toBeGreaterThanOrEqual(FILES)
  const result = await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
  expect(result.state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}, 60_000)
