/** A history reader answers as the store does, however it groups what it reads. */
import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createHistoryReader, inReadingOrder } from '../../../../src/main/engine/store/history-reader.ts'
import type { Store } from '../../../../src/main/engine/store/open-store.ts'
import { editedPaths } from '../../../../src/main/engine/store/paths.ts'
import { readTogether } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

/** More than are read together. */
const MANY = 300
const files = (text: string) =>
  Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`d/${n}.txt`, `${text} ${n}\n`]))

/** All that the reader has of a path. */
function factsOf({ records }: Store, path: number) {
  const edits = records.editsOf(path)
  const head = records.headById(path)
  const departures = records.departuresFrom(path)
  return {
    head,
    edit: records.edit(head.edit),
    before: records.editBefore(path, head.edit),
    oldest: records.editBefore(path, edits.at(-1)?.seq ?? 0),
    after: edits.map(({ seq }) => records.editAfter(path, seq)?.seq),
    first: records.editAfter(path, 0)?.seq,
    departures,
    arrivals: departures.map(({ seq }) => records.arrivalOf(seq)),
    versions: edits.map(({ before, after }) => [records.version(before), records.version(after)])
  }
}

test('[RS-1] a history reader answers as the store does, for paths that it reads together or by themselves', async () => {
  await using folder = await recordedFolder({ files: files('first') })
  const run = await folder.run('second', () => writeFiles(folder.root, files('second')))
  await folder.run('move', () => renameSync(`${folder.root}/d/7.txt`, `${folder.root}/moved.txt`))
  await folder.run('change it, and another', () =>
    writeFiles(folder.root, { 'moved.txt': 'top\nsecond 7\n', 'd/8.txt': 'top\nsecond 8\n' })
  )
  await folder.apply({ kind: 'undo-run', run, onConflict: 'merge', paths: ['moved.txt', 'd/8.txt'] })
  const compare = (store: Store) => {
    const paths = inReadingOrder(editedPaths(store, 0, 1000).map(({ id }) => id))
    expect(paths.length).toBeGreaterThan(MANY)
    const expected = paths.map((path) => factsOf(store, path))
    expect(expected.some(({ arrivals }) => arrivals.length > 0)).toBe(true)
    const middle = Math.ceil(store.records.lastSeq() / 2)
    for (const known of [paths, paths.slice(0, 5)])
      for (const since of [0, middle, store.records.lastSeq()]) {
        const reader = createHistoryReader(store, known, since)
        expect(paths.map((path) => factsOf(reader, path))).toEqual(expected)
      }
  }
  folder.store((store) => readTogether(store, () => compare(store)))
})

test('edits of many paths are read up to a limit, and never a part of those of one path', async () => {
  await using folder = await recordedFolder({ files: files('first') })
  for (const text of ['second', 'third']) await folder.run(text, () => writeFiles(folder.root, files(text)))
  folder.store(({ records }) => {
    const ids = ['d/1.txt', 'd/2.txt', 'd/3.txt'].map((path) => records.head(path)?.id as number).sort((a, b) => a - b)
    const lengths = (limit = -1) => [...records.editsOfPaths(ids, { limit }).values()].map((edits) => edits.length)
    expect([lengths(), lengths(7), lengths(6), lengths(5), lengths(4), lengths(1)]).toEqual([
      [2, 2, 2],
      [2, 2, 2],
      [2, 2],
      [2, 2],
      [2],
      []
    ])
  })
})
