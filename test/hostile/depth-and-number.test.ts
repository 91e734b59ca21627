/** [CP-6] Very deep paths, and thousands of entries in one folder and in many. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, expectRoundTrip } from '../support/round-trip.ts'
import { LONG } from '../support/scale.ts'
import { remove, writeFiles } from '../support/tree.ts'

/** Entries of one folder, or of many. */
const MANY = LONG ? 1200 : 100
const DEEP = Array.from({ length: LONG ? 100 : 40 }, (_, i) => `d${i}`).join('/')

test('[CP-6] a deep path is restored', async () => {
  await using folder = await recordedFolder({ files: { [`${DEEP}/leaf`]: 'leaf' } })
  await expectRoundTrip(folder, () => remove(folder.root, 'd0'))
})

test('[CP-6] a path of maximum length is restored, although the path of its staged file would be too long', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  // PATH_MAX is 4096 bytes with the terminating NUL; the longest path here is `<deepest>/d/new`.
  const room = 4095 - folder.root.length - '/'.length - '/d/new'.length
  const parts = Array.from({ length: Math.floor(room / 201) - 1 }, () => 'p'.repeat(200))
  const left = room - parts.length * 201
  const deepest = [...parts, 'q'.repeat(left >> 1), 'r'.repeat(left - (left >> 1) - 1)].join('/')
  writeFiles(folder.root, { [`${deepest}/f`]: 'one', [`${deepest}/d`]: null })
  await folder.check()
  await expectRoundTrip(folder, () => {
    writeFiles(folder.root, { [`${deepest}/f`]: 'two', [`${deepest}/d/new`]: 'n' })
  })
  await expectRoundTrip(folder, () => remove(folder.root, parts[0] as string))
})

test(`[CP-6] ${MANY} changed and deleted files are restored`, async () => {
  const files = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`d${i % 37}/f${i}`, `content ${i}\n`]))
  await using folder = await recordedFolder({ files })
  const before = folder.tree()
  const run = await folder.run('all', () => {
    for (const [i, path] of Object.keys(files).entries()) {
      if (i % 3 === 0) remove(folder.root, path)
      else writeFileSync(join(folder.root, path), `changed ${i}\n`)
    }
  })
  const after = folder.tree()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
})

test(`[CP-6] a moved folder of ${MANY} entries is restored`, async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  mkdirSync(join(folder.root, 'many/sub'), { recursive: true })
  for (let i = 0; i < MANY; i++)
    writeFileSync(join(folder.root, i % 10 === 0 ? 'many/sub' : 'many', `f${i}`), `${i % 7}`)
  await folder.check()
  const before = folder.tree()
  const run = await folder.run('move', () => renameSync(join(folder.root, 'many'), join(folder.root, 'moved')))
  const after = folder.tree()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
  await expectIntact(folder)
})
