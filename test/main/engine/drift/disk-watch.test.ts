/** What a check compares of a large folder, by what the watcher has reported. */
import { expect, test } from 'vitest'
import { createDiskWatch } from '../../../../src/main/engine/drift/disk-watch.ts'
import type { Dirty } from '../../../../src/main/engine/watch/dirty-set.ts'
import type { FolderWatch } from '../../../../src/main/engine/watch/watcher.ts'

/** A large folder that was scanned. `report`: what the watcher has for the next check; `refresh`: of its ignore rules. */
async function scannedFolder(refresh = (): void => {}) {
  let next: Dirty = 'all'
  const watch = {
    state: () => ({ state: 'live' }),
    barrier: async () => true,
    beginScan: () => null,
    showsLoss: () => true,
    expectReports: () => {},
    rulesChanged: () => {},
    take: () => {
      const taken = next
      next = { paths: new Set(), trees: new Set() }
      return taken
    }
  } as unknown as FolderWatch
  const disk = createDiskWatch({
    watch: () => watch,
    rules: { refresh, ignoresFile: () => false },
    now: () => 1
  })
  const chosen = await disk.chooseScope('position', true)
  disk.recordChecked(chosen?.scope ?? 'all', 1, [], 1_000_000)
  return {
    disk,
    report: (paths: readonly string[]): void => {
      next = { paths: new Set(paths), trees: new Set() }
    }
  }
}

const NOTHING = { paths: [], trees: [] }
const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

test('[CK-2] a position compares what was reported before it, however much was reported since the last one', async () => {
  const { disk, report } = await scannedFolder()
  for (const count of [30_000, 50_001]) {
    report(names('early', count))
    await disk.chooseScope('present', true)
    const late = names('late', 30_000)
    report(late)
    const scope = (await disk.chooseScope('position', true))?.scope ?? NOTHING
    const compared = new Set(scope === 'all' ? late : scope.paths)
    expect(late.filter((path) => !compared.has(path))).toEqual([])
  }
})

test('[CK-2] a position compares once more what was reported since the last one', async () => {
  const { disk, report } = await scannedFolder()
  report(['early'])
  await disk.chooseScope('live', true)
  report(['late'])
  expect((await disk.chooseScope('position', true))?.scope).toMatchObject({ paths: new Set(['early', 'late']) })
  expect(await disk.chooseScope('position', true)).toBe(null)
})

test('[WT-6] a snapshot that its watch follows reads the ignore rules again, because it consumes their events', async () => {
  const order: string[] = []
  const { disk, report } = await scannedFolder(() => order.push('refresh'))
  order.length = 0
  report(['.gitignore'])
  await disk.beginSnapshot()
  expect(order).toEqual(['refresh'])
  expect(disk.recordSnapshot(1, 1_000_000)).toBe(true)
  expect(await disk.chooseScope('present', true)).toBe(null)
})

test('[WT-6] after a snapshot that did not list everything, or beside which changes were consumed, all is compared', async () => {
  const { disk, report } = await scannedFolder()
  await disk.beginSnapshot()
  expect(disk.recordSnapshot(1, null)).toBe(false)
  expect((await disk.chooseScope('position', true))?.scope).toBe('all')
  disk.recordChecked('all', 1, [], 1_000_000)
  await disk.beginSnapshot()
  report(['.gitignore'])
  expect(await disk.chooseScope('live', false)).toBe(null)
  expect(disk.recordSnapshot(1, 1_000_000)).toBe(false)
  expect((await disk.chooseScope('present', true))?.scope).toBe('all')
})
