/** Rows of many folders, read in pages: what a scan compares with the disk. */
import { expect, test } from 'vitest'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { ID, PARENT, PATH } from '../../../../src/main/engine/store/stat-cache.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

test('[DR-1] every row of the requested folders is read exactly once, wherever a page ends', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  folder.store((store) => {
    const { records } = store
    // Folders that end before, at and after a page, that span several pages, and empty ones.
    const sizes = [1000, 0, 400, 600, 2500, 1, 1999, 0, 2000, 3]
    const folders = transact(store, ({ records }) => {
      const ids = sizes.map((_, n) => records.addPath(`folder-${n}`, 1))
      ids.forEach((id, n) => {
        for (let row = 0; row < (sizes[n] as number); row++) records.addPath(`folder-${n}/${row}`, id)
      })
      return ids
    })
    const all = store.db.prepare('SELECT id, parent FROM path ORDER BY parent, id').all() as {
      id: number
      parent: number
    }[]
    for (const requested of [[1, ...folders], folders.slice(0, 1), folders.slice(2, 7), []]) {
      const pages = [...records.statRows(requested)]
      expect(pages.flat().map((row) => [row[PARENT], row[ID]])).toEqual(
        all.filter(({ parent }) => requested.includes(parent)).map(({ parent, id }) => [parent, id])
      )
      expect(Math.max(0, ...pages.map((page) => page.length))).toBeLessThanOrEqual(1000)
    }
  })
})

test('[DR-1] rows written between two pages hide no other row', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  folder.store((store) => {
    const { records } = store
    const parent = transact(store, ({ records }) => {
      const id = records.addPath('folder', 1)
      for (let n = 0; n < 3000; n++) records.addPath(`folder/${n}`, id)
      return id
    })
    const paths = new Set<string>()
    for (const page of records.statRows([parent])) {
      for (const row of page) paths.add(row[PATH])
      if (paths.size < 3000) transact(store, (tx) => tx.records.addPath(`folder/new-${paths.size}`, parent))
    }
    for (let n = 0; n < 3000; n++) expect(paths.has(`folder/${n}`)).toBe(true)
  })
})
