/** [RS-9] Files over the size limit, sparse and huge ones: listed with the reason, never silently skipped, stored by a guard. */
import { appendFileSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { notCovered, versions } from '../support/recorded-state.ts'
import { expectIntact } from '../support/round-trip.ts'
import { remove, writeFiles } from '../support/tree.ts'

/** Lower than usual, which the next test has: a file over the limit is read as a whole here. */
const LIMIT = 4 * 1024 * 1024

test('[RS-9] a file over the limit is listed with its reason; one that a restore replaces is stored by the guard and undo restores it', async () => {
  await using folder = await recordedFolder({ files: { big: 'small once' } })
  await folder.engine.call('settings.set', { key: 'capture.limit', value: `${LIMIT}` })
  const run = await folder.run('grow', () => truncateSync(join(folder.root, 'big'), LIMIT + 1))
  appendFileSync(join(folder.root, 'big'), 'the end')
  await folder.check()
  expect(await notCovered(folder)).toEqual(['big too-large'])
  const grown = readFileSync(join(folder.root, 'big'))
  const result = await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
  expect(result.state).toBe('done')
  expect(readFileSync(join(folder.root, 'big'), 'utf8')).toBe('small once')
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'big')).equals(grown)).toBe(true)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[A17] [RS-9] a target over the limit is listed in the plan and never silently skipped', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFileSync(join(folder.root, 'big'), '')
  truncateSync(join(folder.root, 'big'), 51 * 1024 * 1024)
  await folder.check()
  const run = await folder.run('delete', () => {
    remove(folder.root, 'big')
    writeFiles(folder.root, { a: 'two' })
  })
  const plan = await folder.plan({ kind: 'undo-run', run })
  expect(plan.items.find((item) => item.path === 'big')).toMatchObject({
    action: 'keep',
    note: { code: 'not-stored', reason: 'too-large' }
  })
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['a', 'done'],
    ['big', 'kept']
  ])
})

test('[DR-1] touching a large file makes no new version', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFileSync(join(folder.root, 'medium'), Buffer.alloc(2 << 20, 'x'))
  await folder.check()
  const before = (await versions(folder, 'medium')).length
  utimesSync(join(folder.root, 'medium'), 1, 1)
  await folder.check()
  expect((await versions(folder, 'medium')).length).toBe(before)
})

test('[CP-6] a sparse file below the limit is restored with all its zeros', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFileSync(join(folder.root, 'sparse'), 'start')
  truncateSync(join(folder.root, 'sparse'), 6 << 20)
  appendFileSync(join(folder.root, 'sparse'), 'end')
  await folder.check()
  const before = readFileSync(join(folder.root, 'sparse'))
  const run = await folder.run('shrink', () => truncateSync(join(folder.root, 'sparse'), 5))
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'sparse')).equals(before)).toBe(true)
  await expectIntact(folder)
})

test('[CP-3] [RS-9] an empty sparse file of 8 TB is never read and delays nothing', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one', huge: '' },
    make: (root) => truncateSync(join(root, 'huge'), 8 * 2 ** 40)
  })
  expect(await notCovered(folder)).toEqual(['huge too-large'])
  const run = await folder.run('touch', () => {
    writeFiles(folder.root, { a: 'two' })
    utimesSync(join(folder.root, 'huge'), 1, 1)
  })
  expect((await folder.apply({ kind: 'undo-run', run })).items.map((item) => [item.path, item.result])).toEqual([
    ['a', 'done'],
    ['huge', 'kept']
  ])
  expect(statSync(join(folder.root, 'huge')).size).toBe(8 * 2 ** 40)
})
