/** What observations become edits, in which order, and what a path that changes meanwhile is recorded as. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileVersion } from '../../../../src/contract/log.ts'
import { append } from '../../../../src/main/engine/capture/append.ts'
import { createScan } from '../../../../src/main/engine/capture/findings.ts'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { observe } from '../../../../src/main/engine/capture/observe.ts'
import { type RecordingContext, reconcile } from '../../../../src/main/engine/capture/reconcile.ts'
import { walkTree } from '../../../../src/main/engine/capture/tree-walk.ts'
import { lstatSignature, type Signature } from '../../../../src/main/engine/files/signature.ts'
import { createWorkspaceFs } from '../../../../src/main/engine/files/workspace-fs.ts'
import { evictRow } from '../../../../src/main/engine/store/evictions.ts'
import { ABSENT } from '../../../../src/main/engine/store/fixed-versions.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { transact, type Writable } from '../../../../src/main/engine/store/sql.ts'
import type { StoredVersion } from '../../../../src/main/engine/store/versions.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const outside = () => ({ origin: 'outside', attribution: 'none', by: [], drift: null }) as const
/** From then on, the stats taken now are old enough to be trusted. */
const later = (): number => Date.now() + 60_000

/** Until a file that is written now gets a later time than `ctime`, which is a tick of Linux's clock or more. */
function waitForLaterTime(ctime: number, probe: string): void {
  do writeFileSync(probe, 'x')
  while ((lstatSignature(probe) as Signature).ctime <= ctime)
}

/** The context of a closed folder. */
async function recording(folder: RecordedFolder): Promise<RecordingContext & Disposable> {
  const { root } = folder
  await folder.engine.close()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  const rules = createIgnoreRules(root)
  return { root, store, rules, boundaries: new Set(), now: later, [Symbol.dispose]: () => store.close() }
}

const versionNow = ({ records }: Store, path: string): StoredVersion =>
  records.version(records.head(path)?.version as number)

const appendPaths = ({ root, store }: RecordingContext, ...paths: readonly string[]) => {
  const fs = createWorkspaceFs(root)
  const observed = paths.map((path) =>
    observe(fs, store.content, path, { limit: 1000, folderReason: null, readAt: later() })
  )
  return transact(store, (tx) => append(tx, root, observed, { author: outside, at: later() })).edits
}

test('[LG-5] a new folder and what is in it are both edits, in whatever order they were observed', async () => {
  await using folder = await recordedFolder()
  using context = await recording(folder)
  writeFiles(folder.root, { 'd/e/f': 'f' })
  expect(appendPaths(context, 'd/e/f', 'd/e', 'd').map(({ path }) => path)).toEqual(['d', 'd/e', 'd/e/f'])
})

test('[LG-5] a folder in the place of a file is recorded before what is in it, also if only that was reported', async () => {
  await using folder = await recordedFolder({ files: { d: 'file' } })
  using context = await recording(folder)
  const { store } = context
  remove(folder.root, 'd')
  writeFiles(folder.root, { 'd/f': 'f' })
  const { edits } = await reconcile(context, { paths: ['d/f'], trees: [] }, () => outside)
  expect(edits).toMatchObject([{ path: 'd' }, { path: 'd/f', change: 'created' }])
  expect(store.records.head('d')?.covered).toBe(true)
})

test('[LG-5] what is in a new folder is new, also if the folder was replaced while both were read', async () => {
  await using folder = await recordedFolder()
  using context = await recording(folder)
  const { root, store } = context
  writeFiles(root, { 'd/f': 'f', 'other/f': 'f' })
  const fs = createWorkspaceFs(root)
  const read = (path: string) => observe(fs, store.content, path, { limit: 1000, folderReason: null, readAt: later() })
  const before = read('d')
  remove(root, 'd')
  renameSync(join(root, 'other'), join(root, 'd'))
  const observed = [before, read('d/f')]
  const appended = transact(store, (tx) => append(tx, root, observed, { author: outside, at: later() }))
  expect(appended).toMatchObject({ edits: [{ path: 'd' }, { path: 'd/f', change: 'created' }], stale: ['d'] })
})

test('[LG-5] a folder whose edit is recorded, but not yet what is in it, is listed by the next scan, however old its times', async () => {
  await using folder = await recordedFolder()
  using context = await recording(folder)
  writeFiles(folder.root, { 'd/f': 'f' })
  expect(appendPaths(context, 'd')).toHaveLength(1)
  // Nor is it listed when it is observed once more, as an equal one.
  expect(appendPaths(context, 'd')).toEqual([])
  const { edits } = await reconcile(context, 'all', () => outside)
  expect(edits).toMatchObject([{ path: 'd/f', change: 'created' }])
})

test('[CP-8] a file that could not be read is read by the next scan, although its stat is the same', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  using context = await recording(folder)
  const { root, store } = context
  writeFiles(root, { a: 'second' })
  const signature = lstatSignature(join(root, 'a')) as Signature
  const version: FileVersion = { ...ABSENT, kind: 'file', size: 6, mode: signature.mode, notStored: 'unreadable' }
  const observed = { path: 'a', signature, statAt: 0, version, bytes: null, large: null }
  expect(transact(store, (tx) => append(tx, root, [observed], { author: outside, at: later() })).edits).toHaveLength(1)
  const { edits } = await reconcile(context, 'all', () => outside)
  expect([edits.length, versionNow(store, 'a').notStored]).toEqual([1, null])
})

test.each<[string, (tx: Writable<Store>, content: number) => void]>([
  ['damaged', (tx, content) => void tx.content.markDamaged(tx, content)],
  ['evicted', evictRow]
])('[RS-18] [ST-2] bytes that are %s and still on disk are stored again, which is no edit', async (_, lose) => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  using context = await recording(folder)
  const { store } = context
  transact(store, (tx) => lose(tx, versionNow(tx, 'a').content as number))
  expect(versionNow(store, 'a').notStored).not.toBeNull()
  const { edits } = await reconcile(context, 'all', () => outside, { deep: true })
  expect([edits, versionNow(store, 'a').notStored]).toEqual([[], null])
})

test('[CP-2] [LG-6] a file that changes each time before it is recorded is recorded as changing, and read again by the next scan', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  using context = await recording(folder)
  const { root, store } = context
  writeFiles(root, { a: 'two', b: 'two' })
  let left = 3
  const { edits, unstable } = await reconcile(context, 'all', () => outside, {
    // Called when everything is read and nothing recorded.
    skip: () => {
      if (left-- > 0) writeFileSync(join(root, 'a'), `version ${left}`)
      return new Set()
    }
  })
  expect([unstable, edits.map(({ path }) => path)]).toEqual([['a'], ['b', 'a']])
  expect(versionNow(store, 'a').notStored).toBe('changing')
  const next = await reconcile(context, 'all', () => outside)
  expect(next.edits.map(({ path }) => path)).toEqual(['a'])
  expect(store.content.get(versionNow(store, 'a').content as number, 9).toString()).toBe('version 0')
})

test.each([
  [1000, []],
  [20, ['a']]
])(
  '[DR-2] what is recorded %i ms after it was written: the next scan reads %j again',
  { tags: ['linux'] },
  async (age, read) => {
    await using folder = await recordedFolder({ files: { a: 'one' } })
    using context = await recording(folder)
    const { root, store, rules, boundaries } = context
    writeFiles(root, { a: 'two' })
    const { ctime } = lstatSignature(join(root, 'a')) as Signature
    using temp = tempFolder()
    waitForLaterTime(ctime, join(temp.path, 'probe'))
    const now = () => Math.floor(ctime) + age
    await reconcile({ ...context, now }, 'all', () => outside)
    const scan = createScan({ root, records: store.records, rules, boundaries, named: new Set(), deep: false, now })
    expect([...walkTree(scan, '')].flatMap((finding) => finding?.path ?? [])).toEqual(read)
  }
)
