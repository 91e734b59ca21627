import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStore } from '../../../../src/main/engine/doctor/verify.ts'
import type { Signature } from '../../../../src/main/engine/files/signature.ts'
import { withoutListing } from '../../../../src/main/engine/files/signature.ts'
import { openStore, ROOT_ID, type Store } from '../../../../src/main/engine/store/open-store.ts'
import {
  type FirstPath,
  hasPackedPaths,
  insertPaths,
  packPaths
} from '../../../../src/main/engine/store/packed-paths.ts'
import { all, run, transact } from '../../../../src/main/engine/store/sql.ts'
import { tempFolder } from '../../../support/tmp.ts'

const STAT: Signature = { kind: 'file', ino: 2 ** 52 + 1, size: 4, mtime: 1763683200123.4568, ctime: 6.5, mode: 0o644 }

/** A folder that is entered, one that is not, and files of which every third has the content of another. */
const PATHS: readonly FirstPath[] = [
  folder(2, 'src', null),
  folder(3, 'node_modules', 'ignored'),
  ...Array.from({ length: 150 }, (_, n) => file(n + 4, `src/ä-${n}.txt`, n % 100))
]

function folder(id: number, path: string, reason: FirstPath['reason']): FirstPath {
  const stat: Signature = { ...STAT, kind: 'dir', mode: 0o755 }
  const signature = reason === null ? stat : withoutListing(stat)
  return { id, parent: ROOT_ID, path, hash: null, reason, signature, statAt: 7, covered: reason === null }
}

function file(id: number, path: string, hash: number): FirstPath {
  return {
    id,
    parent: 2,
    path,
    hash: Buffer.alloc(32, hash).toString('hex'),
    reason: null,
    signature: STAT,
    statAt: 7,
    covered: false
  }
}

function openPacked(file: string): Store {
  const store = openStore(file)
  transact(store, (tx) => packPaths(tx, PATHS))
  return store
}

const ROWS = `SELECT p.id, p.parent, p.name, p.edit, p.ino, p.size, p.mtime, p.ctime, p.mode, p.seen, p.covered,
  v.kind, v.size AS bytes, v.mode AS bits, v.reason, c.hash, c.codec FROM path p
  LEFT JOIN version v ON v.id = p.version LEFT JOIN content c ON c.id = v.content ORDER BY p.id`

test('[WT-6] packed paths have the rows that they would have had, once a statement needs them', () => {
  using temp = tempFolder()
  const inserted = openStore(join(temp.path, 'inserted.db'))
  transact(inserted, (tx) => insertPaths(tx, PATHS))
  const packed = openPacked(join(temp.path, 'packed.db'))
  expect(hasPackedPaths(packed)).toBe(true)
  expect(all(packed, ROWS)).toEqual(all(inserted, ROWS))
  expect(all(packed, 'SELECT id FROM content')).toHaveLength(100)
  expect(hasPackedPaths(packed)).toBe(false)
  inserted.close()
  packed.close()
})

test('[WT-6] [LG-1] they stay packed where the transaction that needed them fails, and for the next process', () => {
  using temp = tempFolder()
  const path = join(temp.path, 'store.db')
  const store = openPacked(path)
  const fail = (): void =>
    transact(store, ({ records }) => {
      expect(records.head('src/ä-7.txt')?.id).toBe(11)
      throw new Error('failed')
    })
  expect(fail).toThrow('failed')
  expect(hasPackedPaths(store)).toBe(true)
  store.close()
  const again = openStore(path)
  expect(again.records.children(2)).toHaveLength(150)
  expect(again.records.head('node_modules')?.signature?.mtime).toBe(-1)
  again.close()
})

test('[WT-6] a path of another kind that was recorded beside them keeps its content, which equal ones then share', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  const hash = Buffer.alloc(32, 9)
  const own = transact(
    store,
    (tx) => run(tx, 'INSERT INTO content(hash, size, codec, bytes) VALUES (?, 4, 0, ?)', hash, Buffer.from('four')).id
  )
  transact(store, (tx) => packPaths(tx, PATHS))
  const sharing = all<{ content: number }>(store, 'SELECT DISTINCT content FROM version WHERE content = ?', own)
  expect(sharing).toEqual([{ content: own }])
  expect(all(store, 'SELECT codec FROM content WHERE hash = ?', hash)).toEqual([{ codec: 0 }])
  store.close()
})

test('[WT-6] [ST-9] damage of packed paths is an error of whoever needs them, and doctor names it', async () => {
  using temp = tempFolder()
  const path = join(temp.path, 'store.db')
  const store = openPacked(path)
  const [row] = all<{ columns: Buffer }>(store, 'SELECT columns FROM packed_path')
  const columns = row?.columns ?? Buffer.alloc(0)
  for (const at of [5, columns.length >> 1, columns.length - 1]) {
    const damaged = Buffer.from(columns)
    damaged[at] = (damaged[at] ?? 0) ^ 4
    transact(store, (tx) => run(tx, 'UPDATE packed_path SET columns = ?', damaged))
    expect(() => store.records.head('src')).toThrow(expect.objectContaining({ code: 'StoreDamaged' }))
    expect(await checkStore(store, true)).toEqual([
      { code: 'Database', detail: expect.stringContaining('recorded first of this worktree is damaged') }
    ])
    expect(hasPackedPaths(store)).toBe(true)
  }
  transact(store, (tx) => run(tx, 'UPDATE packed_path SET columns = ?', columns))
  expect(await checkStore(store, false)).toEqual([])
  store.close()
})
