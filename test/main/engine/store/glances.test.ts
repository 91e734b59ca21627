/** Rows of many folders at once, in pages: what a scan compares with the disk. */
import { expect, test } from 'vitest'
import { write } from '../../../../src/main/engine/db/transaction.ts'
import { ID, PARENT, PATH } from '../../../../src/main/engine/store/glances.ts'
import { recordedFolder } from '../../../support/recorded.ts'

test('[DR-1] every row of the folders asked for is read exactly once, wherever a page ends', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  folder.store((store) => {
    const { records } = store
    // Folders that end before, at and after the end of a page, that span several, and that hold nothing.
    const sizes = [1000, 0, 400, 600, 2500, 1, 1999, 0, 2000, 3]
    const folders = write(store.db, () => {
      const made = sizes.map((_, n) => records.addPath(`folder-${n}`, 1))
      made.forEach((id, n) => {
        for (let row = 0; row < (sizes[n] as number); row++) records.addPath(`folder-${n}/${row}`, id)
      })
      return made
    })
    const all = store.db.prepare('SELECT id, parent FROM path ORDER BY parent, id').all() as {
      id: number
      parent: number
    }[]
    for (const wanted of [[1, ...folders], folders.slice(0, 1), folders.slice(2, 7), []]) {
      const pages = [...records.glances(wanted)]
      expect(pages.flat().map((row) => [row[PARENT], row[ID]])).toEqual(
        all.filter(({ parent }) => wanted.includes(parent)).map(({ parent, id }) => [parent, id])
      )
      expect(Math.max(0, ...pages.map((page) => page.length))).toBeLessThanOrEqual(1000)
    }
  })
})

test('[DR-1] rows written between two pages hide none of the others', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  folder.store((store) => {
    const { records } = store
    const parent = write(store.db, () => {
      const id = records.addPath('folder', 1)
      for (let n = 0; n < 3000; n++) records.addPath(`folder/${n}`, id)
      return id
    })
    const seen = new Set<string>()
    for (const page of records.glances([parent])) {
      for (const row of page) seen.add(row[PATH])
      if (seen.size < 3000) write(store.db, () => records.addPath(`folder/new-${seen.size}`, parent))
    }
    for (let n = 0; n < 3000; n++) expect(seen.has(`folder/${n}`)).toBe(true)
  })
})
