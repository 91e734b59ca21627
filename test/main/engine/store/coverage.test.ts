/** [UI-1] What is protected is counted as it changes: the same as counting every path again. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CoverageTotals } from '../../../../src/contract/workspace.ts'
import type { Signature } from '../../../../src/main/engine/files/signature.ts'
import { coverageOf } from '../../../../src/main/engine/store/coverage.ts'
import { KEPT_COUNTS, packCounts, unpackCounts } from '../../../../src/main/engine/store/kept-counts.ts'
import { bumpRev, deleteMeta, readMeta, writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore, ROOT_ID, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { addSharedFile } from '../../../../src/main/engine/store/shared-files.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

const MB = 1024 * 1024

const listed = ({ engine, workspace }: RecordedFolder) => engine.call('coverage.list', { workspace })

function countAnew(store: Store) {
  transact(store, (tx) => deleteMeta(tx, KEPT_COUNTS))
  return coverageOf({ store, boundaries: new Set() }, [])
}

test('[UI-1] the totals and the excluded paths follow edits, settings, evictions and restores', async () => {
  await using folder = await recordedFolder({
    files: { '.gitignore': 'build/\n', a: 'a', 'd/b': 'bb', 'd/c': 'ccc', '.env': 'KEY=1', 'build/out': 'o' }
  })
  const { workspace, root } = folder
  const set = (key: string, value: string) => folder.engine.call('settings.set', { key, value })
  const before = await folder.checkpoint('before')
  const steps: Readonly<Record<string, () => unknown>> = {
    start: () => {},
    'a file grows': () => writeFileSync(join(root, 'a'), 'a longer text'),
    'a file is created': () => writeFileSync(join(root, 'd/new'), 'new'),
    'a file becomes a folder': () => {
      rmSync(join(root, 'd/b'))
      mkdirSync(join(root, 'd/b'))
      writeFileSync(join(root, 'd/b/x'), 'xx')
    },
    'a file becomes too large': async () => {
      await set('capture.limit', String(2 * MB))
      writeFileSync(join(root, 'd/c'), 'c'.repeat(3 * MB))
    },
    'its mode changes': () => chmodSync(join(root, 'd/c'), 0o600),
    'the limit is raised': () => set('capture.limit', String(10 * MB)),
    'a file is never stored from now on': () => set('capture.never', '.env'),
    'its stored copies are deleted': () => folder.engine.call('gc.run', { workspace, dryRun: false, never: true }),
    'it changes': () => writeFileSync(join(root, '.env'), 'KEY=2'),
    'it is stored again': () => set('capture.never', ''),
    'a folder is deleted': () => rmSync(join(root, 'd'), { recursive: true }),
    'everything is restored': () => folder.apply({ kind: 'restore', target: before, outside: 'replace' })
  }
  for (const [step, run] of Object.entries(steps)) {
    await run()
    await folder.check()
    const counted = await listed(folder)
    expect(counted, step).toEqual(folder.store(countAnew))
    expect(counted.covered.files, step).toBeGreaterThan(0)
    await folder.reopen()
    expect(await listed(folder), `after ${step}, opened again`).toEqual(counted)
  }
})

test('[UI-1] counts are kept when a history is closed, and go with the first change of what they are of', async () => {
  await using folder = await recordedFolder({ files: { a: 'a', '.env': 'KEY=1', b: 'bb' } })
  const read = () => folder.store((store) => readMeta(store, KEPT_COUNTS))
  const kept = () => unpackCounts(read()) as CoverageTotals | null
  const keep = (text: string) => folder.store((store) => transact(store, (tx) => writeMeta(tx, KEPT_COUNTS, text)))
  const { covered } = await listed(folder)
  expect(kept()).toBeNull()

  await folder.reopen()
  expect(kept()).toMatchObject(covered)
  // A number that no count gives.
  keep(packCounts({ ...kept(), files: 77 }))
  // As a run that changes no file.
  folder.store((store) => transact(store, bumpRev))
  expect((await listed(folder)).covered.files).toBe(77)

  await folder.reopen()
  // One digit is another.
  keep((read() as string).replace('77', '76'))
  expect((await listed(folder)).covered).toEqual(covered)

  await folder.reopen()
  writeFileSync(join(folder.root, 'c'), 'ccc')
  await folder.check()
  // As a process that is killed now leaves it.
  expect(kept()).toBeNull()
  expect((await listed(folder)).covered).toEqual({ files: covered.files + 1, bytes: covered.bytes + 3 })
})

test('[UI-1] they are right after a count that failed', async () => {
  await using folder = await recordedFolder({ files: { a: 'a', b: 'bb' } })
  folder.store((store) => {
    transact(store, (tx) => deleteMeta(tx, KEPT_COUNTS))
    const count = () => coverageOf({ store, boundaries: new Set() }, [])
    store.db.exec('PRAGMA legacy_alter_table = ON; ALTER TABLE version RENAME TO unreadable')
    for (const time of ['first', 'second']) expect(count, time).toThrow('no such table: version')
    store.db.exec('ALTER TABLE unreadable RENAME TO version')
    expect(count().covered).toEqual({ files: 2, bytes: 3 })
  })
})

test('[UI-1] while another process takes the initial snapshot, counting takes a twentieth of the time at most; then it is exact', () => {
  using temp = tempFolder()
  const [store, other] = [openStore(join(temp.path, 'store.db')), openStore(join(temp.path, 'store.db'))]
  const addFile = (path: string): void =>
    transact(
      other,
      (tx) => void addSharedFile(tx, { path, parent: ROOT_ID, hash: '0a'.repeat(32), signature, statAt: 7 })
    )
  let time = 0n
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => time++)
  const countAt = (at: bigint, isCopying: boolean): number => {
    time = at
    const snapshotProgress = isCopying ? { files: 0, filesTotal: 0, bytes: 0, counted: true } : null
    return coverageOf({ store, boundaries: new Set(), snapshotProgress }, []).covered.files
  }
  addFile('a')
  expect(countAt(0n, true), 'takes 1 ns').toBe(1)
  addFile('b')
  expect([countAt(19n, true), countAt(20n, true)]).toEqual([1, 2])
  addFile('c')
  expect(countAt(21n, false)).toBe(3)
  for (const one of [store, other]) one.close()
})
const signature: Signature = { kind: 'file', ino: 1, size: 4, mtime: 5.5, ctime: 6.5, mode: 0o644 }
