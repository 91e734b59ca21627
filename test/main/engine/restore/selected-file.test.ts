/** What a plan for some of many files reads. */
import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readInput } from '../../../../src/main/engine/restore/inputs/read-input.ts'
import type { Store } from '../../../../src/main/engine/store/open-store.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const MANY = 100
const all = (text: string) =>
  Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`d/${n}.txt`, `${text} ${n}\n`]))

/** The store, the paths whose edits are read from it, and the oldest edit that is. */
function counting(store: Store) {
  const read = new Set<string>()
  const { records } = store
  const seen = { oldest: Number.POSITIVE_INFINITY }
  const edit: typeof records.edit = (seq) => {
    seen.oldest = Math.min(seen.oldest, seq)
    return records.edit(seq)
  }
  const editsOf: typeof records.editsOf = (path) => {
    read.add(records.pathOf(path))
    return records.editsOf(path)
  }
  const editsOfPaths: typeof records.editsOfPaths = (paths, options) => {
    for (const path of paths) read.add(records.pathOf(path))
    const found = records.editsOfPaths(paths, options)
    for (const { seq } of [...found.values()].flat()) seen.oldest = Math.min(seen.oldest, seq)
    return found
  }
  return { store: { ...store, records: { ...records, edit, editsOf, editsOfPaths } }, read, seen }
}

test('[RS-1] a plan for one file of very many reads the history of this file alone', async () => {
  await using folder = await recordedFolder({ files: all('before') })
  const run = await folder.run('change all', () => writeFiles(folder.root, all('after')))
  const requests = [
    { kind: 'undo-run', run, paths: ['d/7.txt'] },
    { kind: 'undo-run', run, hunks: { 'd/7.txt': [1] } },
    { kind: 'restore', target: run, paths: ['d/7.txt'] }
  ] as const
  for (const request of requests) {
    const { paths, read } = folder.store((opened) => {
      const { store, read } = counting(opened)
      return { paths: readInput(store, request, {}).paths, read }
    })
    expect(paths.map(({ path }) => path)).toEqual(['d/7.txt'])
    expect([...read]).toEqual(['d/7.txt'])
  }
})

test('[RS-10] an undo reads no edits from before the run, unless others changed the file since', async () => {
  await using folder = await recordedFolder({ files: all('first') })
  for (const text of ['second', 'third']) await folder.run(text, () => writeFiles(folder.root, all(text)))
  const run = await folder.run('fourth', () => writeFiles(folder.root, all('fourth')))
  const [first, ownFirst] = folder.store(({ records }) => {
    const edits = records.editsOf(records.head('d/0.txt')?.id as number)
    return [edits.at(-1)?.seq as number, edits[0]?.seq as number]
  })
  const oldest = () =>
    folder.store((opened) => {
      const { store, seen } = counting(opened)
      expect(readInput(store, { kind: 'undo-run', run }, {}).paths).toHaveLength(MANY)
      return seen.oldest
    })
  expect(oldest()).toBeGreaterThan(ownFirst - MANY)
  writeFiles(folder.root, { 'd/7.txt': 'of a person\n' })
  await folder.check()
  expect(oldest()).toBeLessThan(first + MANY)
})

test('[RS-20] a file that was moved is selected by the name it had, also among very many', async () => {
  await using folder = await recordedFolder({ files: all('before') })
  const run = await folder.run('change all', () => writeFiles(folder.root, all('after')))
  await folder.run('move one', () => renameSync(`${folder.root}/d/7.txt`, `${folder.root}/moved.txt`))
  for (const name of ['d/7.txt', 'moved.txt']) {
    const plan = await folder.plan({ kind: 'undo-run', run, paths: [name] })
    expect(plan.items.map(({ path }) => path)).toEqual(['moved.txt'])
  }
})
