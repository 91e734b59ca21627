/** @module-tag linux */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { keepObjects, lacksPack } from '../../../../src/main/engine/git-state/kept-objects.ts'
import { tempFolder } from '../../../support/tmp.ts'

const MB = 1024 * 1024

/** Folders of a repository's objects and of kept ones, on two disks; skips the test where there is one. */
function twoDisks(skip: TestContext['skip']) {
  const temp = tempFolder()
  const other = mkdtempSync(join(import.meta.dirname, '.other-disk-'))
  const [objects, kept] = [join(other, 'objects'), join(temp.path, 'kept')]
  const dispose = (): void => {
    rmSync(other, { recursive: true, force: true })
    temp[Symbol.dispose]()
  }
  if (statSync(other).dev === statSync(temp.path).dev) {
    dispose()
    skip('there is one disk only')
  }
  return {
    objects,
    kept,
    put: (name: string, bytes: number): void => {
      mkdirSync(dirname(join(objects, name)), { recursive: true })
      writeFileSync(join(objects, name), '')
      truncateSync(join(objects, name), bytes)
    },
    keptIn: (folder: string): string[] => readdirSync(join(kept, folder)).sort(),
    [Symbol.dispose]: dispose
  }
}

test('[GT-1] on another disk, objects and small packs are copied; a large pack is not, and that is known', ({
  skip
}) => {
  using disks = twoDisks(skip)
  const { objects, kept, put, keptIn } = disks
  put(`aa/${'1'.repeat(38)}`, 100)
  put('pack/pack-aa.pack', 1000)
  put('pack/pack-aa.idx', 1000)
  keepObjects(objects, kept, new Map())
  expect(lacksPack(objects, kept)).toBe(false)
  put('pack/pack-bb.pack', 33 * MB)
  put('pack/pack-bb.idx', 1000)
  keepObjects(objects, kept, new Map())
  expect([keptIn('aa').length, keptIn('pack')]).toEqual([1, ['pack-aa.idx', 'pack-aa.pack']])
  expect(lacksPack(objects, kept)).toBe(true)
})

test('[GT-1] what is too much for one call is copied by the next', ({ skip }) => {
  using disks = twoDisks(skip)
  const { objects, kept, put, keptIn } = disks
  for (const digit of '123') put(`aa/${digit.repeat(38)}`, 30 * MB)
  const known = new Map<string, bigint>()
  keepObjects(objects, kept, known)
  expect(keptIn('aa')).toHaveLength(2)
  keepObjects(objects, kept, known)
  expect(keptIn('aa')).toHaveLength(3)
})
