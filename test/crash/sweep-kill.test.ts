/** A sweep killed between any two of its steps: nothing that is needed is lost, and the next one goes on. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runCrashChild, startCrashChild } from '../support/crash-process.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { readTree, writeFiles } from '../support/tree.ts'

const text = (n: number): string =>
  `${Array.from({ length: 300 }, (_, i) => (i % 40 === n % 40 ? `here ${n}` : `line ${i}`)).join('\n')}\n`

test('[ST-2] a sweep killed at any step loses nothing, and the next one finishes it', async () => {
  await using folder = await recordedFolder({ files: { a: text(0), large: randomBytes(20_000_000) } })
  for (let i = 1; i < 8; i++) {
    writeFiles(folder.root, { a: text(i), ...(i < 3 ? { large: randomBytes(i === 1 ? 12_000_000 : 100) } : {}) })
    await folder.check()
  }
  const pin = await folder.checkpoint('kept')
  const wanted = readTree(folder.root)
  for (let i = 8; i < 16; i++) {
    writeFiles(folder.root, { a: text(i) })
    await folder.check()
  }
  const emptied = (): number =>
    folder.store(
      (store) => (store.db.prepare('SELECT count(*) AS n FROM content WHERE codec = 9').get() as { n: number }).n
    )
  for (let dieAt = 1; dieAt <= 8; dieAt++) {
    const { signal } = await runCrashChild(folder, { do: 'sweep', dieAt })
    if (signal === null) break
    expect((await folder.engine.call('doctor.run', { deep: true })).problems, `killed at step ${dieAt}`).toEqual([])
  }
  const { child, ended } = startCrashChild(folder, { do: 'sweep' })
  await once(child, 'message')
  expect((await ended).code).toBe(0)
  expect(emptied()).toBeGreaterThanOrEqual(10)
  expect(folder.store((store) => store.db.prepare('SELECT count(*) AS n FROM chunk').get())).toEqual({ n: 0 })
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  expect((await folder.apply({ kind: 'restore', target: pin, outside: 'replace' })).state).toBe('done')
  expect(readTree(folder.root)).toEqual(wanted)
}, 90_000)
