/** Copies of open databases (BK-1). */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyDatabase, problemsOfDatabase } from '../../../../src/main/engine/store/copy-database.ts'
import { openAsItIs, openDatabase } from '../../../../src/main/engine/store/database.ts'
import { tempFolder } from '../../../support/tmp.ts'

test('[BK-1] a database is copied whole while it is written, and writes run between the steps of the copy', async () => {
  using folder = tempFolder()
  const db = openDatabase(join(folder.path, 'store.db'))
  db.exec('CREATE TABLE content (bytes BLOB)')
  const add = db.prepare('INSERT INTO content VALUES (?)')
  for (let n = 0; n < 20; n++) add.run(randomBytes(1_000_000))
  let isDone = false
  const copied = copyDatabase({ db }, join(folder.path, 'copy.db')).finally(() => {
    isDone = true
  })
  let written = 0
  while (!isDone) {
    add.run(randomBytes(100))
    written++
    await new Promise((resolve) => setImmediate(resolve))
  }
  // The steps are of 0.5 MB.
  expect(written).toBeGreaterThanOrEqual(40)
  expect(await copied).toBeGreaterThan(20_000_000)
  db.close()
  expect(problemsOfDatabase(join(folder.path, 'copy.db'))).toEqual([])
  const copy = openAsItIs(join(folder.path, 'copy.db'), 'to-read')
  const rows = copy.prepare('SELECT count(*) FROM content').pluck().get() as number
  copy.close()
  expect(rows).toBeGreaterThanOrEqual(20)
  expect(rows).toBeLessThanOrEqual(20 + written)
})
