/** [BR-3] Losses are counted while they happen. */
import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLossMeter } from '../../../../src/main/engine/brake/loss-meter.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { tempFolder } from '../../../support/tmp.ts'

const LIMIT = 40

/** A meter of a folder with recorded files, and the samples with which it suspected. */
function metered(count: number, { open = true, size = 1, decide = (): boolean => true } = {}) {
  const temp = tempFolder()
  const root = temp.path
  const clock = createManualClock()
  mkdirSync(join(root, 'src'))
  const recorded = new Map<string, number>()
  for (let n = 0; n < count; n++) {
    writeFileSync(join(root, `src/f${n}`), 'x')
    recorded.set(`src/f${n}`, statSync(join(root, `src/f${n}`)).ino)
  }
  const folderIno = statSync(join(root, 'src')).ino
  const suspicions: number[] = []
  const meter = createLossMeter({
    clock,
    isRunOpen: () => open,
    limit: () => LIMIT,
    statOf: (path) => lstatSync(join(root, path), { throwIfNoEntry: false }) ?? null,
    recordedFile: (path) => (recorded.has(path) ? { ino: recorded.get(path) as number, size } : null),
    folder: (path) => (path === 'src' ? { ino: folderIno, files: [...recorded.keys()] } : { ino: null, files: [] }),
    onSuspicion: (sample) => {
      suspicions.push(sample.length)
      return decide()
    }
  })
  return { root, clock, meter, suspicions, paths: [...recorded.keys()], [Symbol.dispose]: () => temp[Symbol.dispose]() }
}

test('[BR-3] a suspicion comes with the events themselves, before any timer runs', () => {
  using all = metered(100)
  let deleted = 0
  for (const path of all.paths) {
    if (all.suspicions.length > 0) break
    rmSync(join(all.root, path))
    deleted++
    all.meter.pathChanged(path)
  }
  expect(all.suspicions).toHaveLength(1)
  expect(deleted).toBeLessThan(LIMIT + 20)
})

test('[BR-3] emptied files count, written ones and files that nobody recorded do not', () => {
  using written = metered(100)
  for (const path of written.paths) written.meter.pathChanged(path)
  for (let n = 0; n < 100; n++) written.meter.pathChanged(`tmp/${n}`)
  expect(written.suspicions).toEqual([])
  using emptied = metered(100)
  for (const path of emptied.paths) {
    writeFileSync(join(emptied.root, path), '')
    emptied.meter.pathChanged(path)
  }
  expect(emptied.suspicions).toHaveLength(1)
})

test('[BR-3] files that were empty before do not count while they are there, and count once they are gone', () => {
  using all = metered(100, { size: 0 })
  for (const path of all.paths) {
    writeFileSync(join(all.root, path), '')
    all.meter.pathChanged(path)
  }
  expect(all.suspicions).toEqual([])
  using deleted = metered(100, { size: 0 })
  for (const path of deleted.paths) {
    rmSync(join(deleted.root, path))
    deleted.meter.pathChanged(path)
  }
  expect(deleted.suspicions).toHaveLength(1)
})

test('[BR-3] renames within the folder are no losses', () => {
  using all = metered(100)
  for (const path of all.paths) {
    renameSync(join(all.root, path), join(all.root, `${path}.ts`))
    all.meter.pathChanged(path)
    all.meter.pathChanged(`${path}.ts`)
  }
  expect(all.suspicions).toEqual([])
})

test('[BR-3] a folder that is moved away counts with all its files, one that gets another name does not', () => {
  for (const [to, expected] of [
    ['../away', 1],
    ['lib', 0]
  ] as const) {
    using all = metered(100)
    renameSync(join(all.root, 'src'), join(all.root, to))
    all.meter.treeChanged('src')
    all.meter.pathChanged('src')
    if (to === 'lib') all.meter.pathChanged('lib')
    all.clock.jump(20)
    expect(all.suspicions).toHaveLength(expected)
    rmSync(join(all.root, to), { recursive: true })
  }
})

test('[BR-3] losses that are far apart, and those without a run, raise no suspicion', () => {
  using slow = metered(100)
  for (const path of slow.paths) {
    rmSync(join(slow.root, path))
    slow.meter.pathChanged(path)
    slow.clock.jump(1000)
  }
  expect(slow.suspicions).toEqual([])
  using outside = metered(100, { open: false })
  for (const path of outside.paths) {
    rmSync(join(outside.root, path))
    outside.meter.pathChanged(path)
  }
  expect(outside.suspicions).toEqual([])
})

test('[BR-3] what cannot be judged yet, because git writes, is raised again', () => {
  let isBusy = true
  using all = metered(100, { decide: () => !isBusy })
  for (const path of all.paths) {
    rmSync(join(all.root, path))
    all.meter.pathChanged(path)
  }
  expect(all.suspicions).toHaveLength(1)
  isBusy = false
  all.clock.jump(200)
  expect(all.suspicions).toHaveLength(2)
  all.clock.jump(1000)
  expect(all.suspicions).toHaveLength(2)
})
