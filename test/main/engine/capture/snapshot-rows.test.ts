import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createNames, newProgress } from '../../../../src/main/engine/capture/snapshot-names.ts'
import {
  createPackedRows,
  createStoredRows,
  type SnapshotRows
} from '../../../../src/main/engine/capture/snapshot-rows.ts'
import type { Signature } from '../../../../src/main/engine/files/signature.ts'
import { coverageOf, keepCounts } from '../../../../src/main/engine/store/coverage.ts'
import { openStore, ROOT_ID, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { hasPackedPaths, MOST_PACKED } from '../../../../src/main/engine/store/packed-paths.ts'
import { type PathId, pendingPaths } from '../../../../src/main/engine/store/paths.ts'
import { all, transact, withoutDeferred } from '../../../../src/main/engine/store/sql.ts'
import { tempFolder } from '../../../support/tmp.ts'

const FILE: Signature = { kind: 'file', ino: 1, size: 4, mtime: 5.5, ctime: 6.5, mode: 0o644 }
const FOLDER: Signature = { ...FILE, kind: 'dir', mode: 0o755 }

function addFile(rows: SnapshotRows, path: string, parent: PathId = ROOT_ID, hash = 1): boolean {
  return rows.addFile({ path, parent, hash: Buffer.alloc(32, hash).toString('hex'), signature: FILE, statAt: 7 })
}

function addFolder(rows: SnapshotRows, path: string): PathId {
  const id = rows.addFolder({ path, parent: ROOT_ID, stat: FOLDER, statAt: 7, reason: null })
  if (id === null) throw new Error(`${path} is recorded already`)
  return id
}

/** Each path, and whether it has a version and all names in it are recorded. */
const recorded = (store: Store): unknown =>
  all(store, 'SELECT name, version IS NOT NULL AS known, covered FROM path ORDER BY name')

test('[WT-6] names of a new worktree are packed; what has to be read waits beside them for its first version', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  using rows = createPackedRows(store)
  rows.step(() => {
    const src = addFolder(rows, 'src')
    addFile(rows, 'src/a', src)
    rows.addName('src/b', src)
    rows.setListed(src, FOLDER, 8)
    rows.setListed(ROOT_ID, FOLDER, 8)
  })
  expect(rows.end()).toBe(true)
  const pending = withoutDeferred(store, () => pendingPaths(store, 0, 10))
  expect(pending).toEqual([{ id: 4, name: 'src/b' }])
  expect(hasPackedPaths(store)).toBe(true)
  expect(recorded(store)).toEqual([
    { name: '', known: 1, covered: 1 },
    { name: 'src', known: 1, covered: 1 },
    { name: 'src/a', known: 1, covered: 0 },
    { name: 'src/b', known: 0, covered: 0 }
  ])
  store.close()
})

test('[WT-6] [LG-5] what is recorded between two steps finds what was listed, and stays; the rest follows in the log', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  using rows = createPackedRows(store)
  let src = 0
  rows.step(() => {
    src = addFolder(rows, 'src')
    addFile(rows, 'a')
  })
  const before = transact(store, ({ records }) => {
    const head = records.head('a')
    records.setHead(records.addPath('src/new', src), records.absent, 0, null, 0)
    records.addPath('src/pending', src)
    return head
  })
  expect(before?.signature).toEqual(FILE)
  rows.step(() => {
    expect(addFile(rows, 'src/new', src)).toBe(false)
    expect(addFile(rows, 'src/pending', src, 2)).toBe(true)
    rows.addName('src/z', src)
    rows.setListed(src, FOLDER, 8)
    rows.setListed(ROOT_ID, FOLDER, 8)
  })
  expect(rows.end()).toBe(false)
  expect(hasPackedPaths(store)).toBe(false)
  expect(store.records.head('src/new')?.version).toBe(store.records.absent)
  expect(store.records.version(store.records.head('src/pending')?.version ?? 0).hash).toBe('02'.repeat(32))
  expect(recorded(store)).toEqual([
    { name: '', known: 1, covered: 1 },
    { name: 'a', known: 1, covered: 0 },
    { name: 'src', known: 1, covered: 1 },
    { name: 'src/new', known: 1, covered: 0 },
    { name: 'src/pending', known: 1, covered: 0 },
    { name: 'src/z', known: 0, covered: 0 }
  ])
  store.close()
})

test('[WT-6] a snapshot that fails leaves nothing packed, and a folder that was not listed is listed by the next scan', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  {
    using failing = createPackedRows(store)
    failing.step(() => void addFile(failing, 'a'))
  }
  expect(recorded(store)).toEqual([{ name: '', known: 0, covered: 0 }])
  using rows = createPackedRows(store)
  rows.step(() => {
    addFolder(rows, 'unreadable')
    rows.setListed(ROOT_ID, FOLDER, 8)
  })
  rows.end()
  expect(store.records.head('unreadable')).toMatchObject({ covered: false, signature: { mtime: -1 } })
  store.close()
})

test('[DR-5] names are known to be all that was recorded only if nothing else was, before, between or after the steps', () => {
  const isAlone = (
    others: (place: 'before' | 'between' | 'after', record: (path: string) => void) => void
  ): boolean => {
    using temp = tempFolder()
    const store = openStore(join(temp.path, 'store.db'))
    const record = (path: string): void => transact(store, ({ records }) => void records.addPath(path, ROOT_ID))
    const rows = createStoredRows(store)
    others('before', record)
    rows.step(() => rows.addName('a', ROOT_ID))
    others('between', record)
    rows.step(() => rows.addName('b', ROOT_ID))
    others('after', record)
    const found = rows.end()
    store.close()
    return found
  }
  expect(isAlone(() => {})).toBe(true)
  for (const place of ['before', 'between', 'after'] as const)
    for (const path of place === 'after' ? ['gone'] : ['b', 'gone'])
      expect(isAlone((at, record) => at === place && record(path))).toBe(false)
})

test('[DR-5] what was listed in a folder gets no name where something else recorded meanwhile that the folder is gone', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  const record = createNames({ rows: createStoredRows(store), progress: newProgress(), root: temp.path })
  const listed = { signature: FOLDER, statAt: 7, ignored: [], complete: true }
  const folders = ['gone', 'kept'].map((name) => ({ name, stat: FOLDER, reason: null }))
  record([{ ...listed, path: '', folders, files: [] }])
  transact(store, ({ records }) => records.setHead(records.head('gone')?.id as number, records.absent, 1, null, 8))
  for (const path of ['gone', 'kept'])
    record([{ ...listed, path, folders: [{ name: 'sub', stat: FOLDER, reason: null }], files: ['a'] }])
  expect(store.records.below('').map(({ path, covered }) => [path, covered])).toEqual([
    ['gone', false],
    ['kept', true],
    ['kept/a', false],
    ['kept/sub', false]
  ])
  store.close()
})

test('[WT-6] more paths than can be unpacked at once are in the log from then on', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  using rows = createPackedRows(store)
  rows.step(() => {
    for (let n = 0; n <= MOST_PACKED; n++) addFile(rows, `f${n}`)
  })
  rows.step(() => {
    addFile(rows, 'last')
    rows.setListed(ROOT_ID, FOLDER, 8)
  })
  rows.end()
  expect(hasPackedPaths(store)).toBe(false)
  expect(store.records.children(ROOT_ID)).toHaveLength(MOST_PACKED + 2)
  store.close()
})

test('[WT-6] [UI-1] what was counted while names were listed is not kept for the next process', () => {
  using temp = tempFolder()
  const path = join(temp.path, 'store.db')
  const count = (store: Store) => coverageOf({ store, boundaries: new Set() }, []).covered
  const store = openStore(path)
  {
    using rows = createPackedRows(store)
    rows.step(() => void addFile(rows, 'a'))
    count(store)
    rows.end()
  }
  keepCounts(store)
  store.close()
  const again = openStore(path)
  expect(count(again)).toEqual({ files: 1, bytes: 4 })
  again.close()
})
