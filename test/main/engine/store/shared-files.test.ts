import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Signature } from '../../../../src/main/engine/files/signature.ts'
import { openStore, ROOT_ID } from '../../../../src/main/engine/store/open-store.ts'
import { createSharedFiles, type NewSharedFile } from '../../../../src/main/engine/store/shared-files.ts'
import { all, transact } from '../../../../src/main/engine/store/sql.ts'
import { tempFolder } from '../../../support/tmp.ts'

const SIGNATURE: Signature = { kind: 'file', ino: 1, size: 4, mtime: 5.5, ctime: 6.5, mode: 0o644 }

function file(path: string, hash: number): NewSharedFile {
  return { path, parent: ROOT_ID, hash: Buffer.alloc(32, hash), signature: SIGNATURE, statAt: 7 }
}

test('[WT-1] files of a new worktree are added together, each with its version, equal contents once', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  const shared = createSharedFiles()
  const files = Array.from({ length: 150 }, (_, n) => file(`f-${n}`, n % 100))
  transact(store, (tx) => {
    shared.begin(tx)
    expect(shared.add(tx, files)).toBe(150)
  })
  const sql = `SELECT p.name AS path, p.parent, c.hash, v.size, v.mode, p.ino, p.mtime, p.ctime, p.seen FROM path p
    JOIN version v ON v.id = p.version JOIN content c ON c.id = v.content WHERE v.kind = 1 ORDER BY p.id`
  const { size, mode, ino, mtime, ctime } = SIGNATURE
  expect(all(store, sql)).toEqual(
    files.map(({ path, hash }) => ({ path, parent: ROOT_ID, hash, size, mode, ino, mtime, ctime, seen: 7 }))
  )
  expect(all(store, 'SELECT id FROM content')).toHaveLength(100)
  store.close()
})

test('[WT-1] what is recorded of a new worktree between two steps of its snapshot stays as it is', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  const shared = createSharedFiles()
  const step = (files: readonly NewSharedFile[]): number =>
    transact(store, (tx) => {
      shared.begin(tx)
      return shared.add(tx, files)
    })
  expect(step([file('a', 1)])).toBe(1)
  transact(store, ({ records }) => {
    const id = records.addPath('b', ROOT_ID)
    records.setHead(id, records.absent, 0, null, 0)
    records.addPath('c', ROOT_ID)
  })
  expect(step([file('b', 1), file('c', 2), file('d', 2)])).toBe(2)
  expect(store.records.head('b')?.version).toBe(store.records.absent)
  expect(['c', 'd'].map((path) => store.records.version(store.records.head(path)?.version ?? 0).hash)).toEqual(
    Array(2).fill('02'.repeat(32))
  )
  store.close()
})
