/** `doctor` pauses between the rows that it checks, and the recorder goes on meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checkStore } from '../../../../src/main/engine/doctor/verify.ts'
import { evictRow } from '../../../../src/main/engine/store/evictions.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'
import { createTestLog } from '../retention/test-log.ts'

/** More than `doctor` checks without a pause. */
const PATHS = Array.from({ length: 450 }, (_, n) => `file ${n}`)

/** Calls `work` in each pause of `check`. */
async function inPausesOf<T>(check: Promise<T>, work: () => void): Promise<T> {
  let ended = false
  const result = check.finally(() => {
    ended = true
  })
  while (!ended) {
    work()
    await nextTurn()
  }
  return result
}

test('[ST-9] doctor finds no damage in files that change while it checks them', async () => {
  using log = createTestLog()
  for (const [n, path] of PATHS.entries()) log.edit(path, Buffer.from(`first ${n}`), n)
  let changes = 0
  const change = () => {
    for (const path of [PATHS[0], PATHS[449]]) log.edit(path as string, Buffer.from(`change ${++changes}`), changes)
  }
  expect(await inPausesOf(checkStore(log.store, true), change)).toEqual([])
  expect(changes).toBeGreaterThan(4)
})

test('[ST-9] doctor finds no damage in contents that are evicted while it checks them', async () => {
  using log = createTestLog()
  for (const [n, path] of PATHS.entries()) log.edit(path, Buffer.from(`first ${n}`), n)
  for (const [n, path] of PATHS.entries()) log.edit(path, Buffer.from(`second ${n}`), n)
  /** The contents of the first versions, the last one first. */
  const old = PATHS.map((_, n) => n + 1)
  expect(
    await inPausesOf(checkStore(log.store, true), () => {
      const ids = old.splice(-50)
      transact(log.store, (tx) => {
        for (const id of ids) evictRow(tx, id)
      })
    })
  ).toEqual([])
  expect(old.length).toBeLessThan(PATHS.length - 50)
})

test('[ST-9] doctor leaves out a folder that is removed while it checks it', async () => {
  const files = (content: string) => Object.fromEntries(PATHS.map((path) => [path, content]))
  await using folder = await recordedFolder({ files: files('first') })
  await folder.run('work', () => writeFiles(folder.root, files('second')))
  const doctor = folder.engine.call('doctor.run', {})
  await folder.engine.call('workspaces.remove', { workspace: folder.workspace, deleteHistory: false })
  expect(await doctor).toEqual({ ok: true, problems: [] })
})
