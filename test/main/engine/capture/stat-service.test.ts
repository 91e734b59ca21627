/** Stats that another thread takes while many files are compared. */
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createScan } from '../../../../src/main/engine/capture/findings.ts'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { reconcile } from '../../../../src/main/engine/capture/reconcile.ts'
import {
  OWN_THREAD,
  openStatService,
  type StatSource,
  startStatThread
} from '../../../../src/main/engine/capture/stat-service.ts'
import { walkTree } from '../../../../src/main/engine/capture/tree-walk.ts'
import { parentOf } from '../../../../src/main/engine/files/paths.ts'
import { lstatSignature, signatureOf } from '../../../../src/main/engine/files/signature.ts'
import {
  createStatBatch,
  finishBatch,
  type StatBatch,
  takeStats
} from '../../../../src/main/engine/files/stat-batch.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { run, transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { FILE_HELPER } from '../../../support/programs.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** In more folders than are read at once. */
const MANY = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`d${n % 90}/f${n}`, `${n}`]))

/** Paths that a scan of the folder reports. */
function findingsOf(root: string, store: Store, program: string | null): string[] {
  using thread = program === null ? null : startStatThread(program)
  const options = { root, records: store.records, rules: createIgnoreRules(root), boundaries: new Set<string>() }
  const scan = createScan({ ...options, named: new Set(), deep: false, now: Date.now, stats: thread })
  return [...walkTree(scan, '')].flatMap((finding) => (finding ? [finding.path] : [])).sort()
}

/** As if the folder had been recorded later: its times are old enough to be trusted. */
function trustTimes(store: Store): void {
  transact(store, (tx) => run(tx, 'UPDATE path SET seen = seen + 10000'))
}

test('[DR-1] a second thread finds what one finds: changed, new, deleted, other kinds, other modes', async () => {
  await using folder = await recordedFolder({ files: MANY })
  const { root } = folder
  folder.store((store) => {
    trustTimes(store)
    expect(findingsOf(root, store, FILE_HELPER)).toEqual([])
    writeFileSync(join(root, 'd1/f1'), 'changed')
    writeFileSync(join(root, 'd2/new'), 'new')
    for (const gone of ['d3/f3', 'd4', 'd5/f5', 'd6/f6']) rmSync(join(root, gone), { recursive: true })
    mkdirSync(join(root, 'd5/f5/below'), { recursive: true })
    symlinkSync('f96', join(root, 'd6/f6'))
    chmodSync(join(root, 'd7/f7'), 0o755)
    const found = findingsOf(root, store, FILE_HELPER)
    expect(found).toEqual(findingsOf(root, store, null))
    expect(found).toEqual(
      expect.arrayContaining(['d1/f1', 'd2/new', 'd3/f3', 'd4/f4', 'd5/f5', 'd5/f5/below', 'd6/f6', 'd7/f7'])
    )
  })
})

test('[DR-1] a second thread that cannot start is not missed', async () => {
  await using folder = await recordedFolder({ files: MANY })
  const { root } = folder
  folder.store((store) => {
    trustTimes(store)
    writeFileSync(join(root, 'd1/f1'), 'changed')
    expect(findingsOf(root, store, join(root, 'no-program.cjs'))).toEqual(['d1/f1'])
  })
})

test('[DR-1] the stats that a thread claimed and did not take are taken by the one that waits', () => {
  using temp = tempFolder()
  const paths = Array.from({ length: 100 }, (_, n) => join(temp.path, `${n}`))
  for (const path of paths.slice(0, 99)) writeFileSync(path, 'text')
  const batch = createStatBatch(paths)
  // The first number of its memory is the next block: two are claimed.
  new Int32Array(batch.memory)[0] = 2
  takeStats(batch)
  const statOf = finishBatch(batch, paths, 0)
  for (const [n, path] of paths.entries()) {
    const stat = statOf(n)
    expect(stat && signatureOf(stat)).toEqual(lstatSignature(path))
  }
})

test('[CK-2] the stat of a file is taken after the watch of its folder is open', async () => {
  await using folder = await recordedFolder({ files: MANY })
  const { root } = folder
  folder.store((store) => {
    trustTimes(store)
    const watched = new Set<string>([''])
    const early: string[] = []
    let files = 0
    const stats: StatSource = {
      ...OWN_THREAD,
      take: (paths) => {
        files += paths.length
        early.push(...paths.filter((path) => !watched.has(parentOf(relative(root, path)))))
        return OWN_THREAD.take(paths)
      }
    }
    const observer = {
      enter: (path: string) => {
        watched.add(path)
        return lstatSync(join(root, path))
      },
      skip: () => {}
    }
    const options = { root, records: store.records, rules: createIgnoreRules(root), boundaries: new Set<string>() }
    const scan = createScan({ ...options, named: new Set(), deep: false, now: Date.now, stats, observer })
    expect([...walkTree(scan, '')].filter(Boolean)).toEqual([])
    expect(files).toBe(900)
    expect(early).toEqual([])
  })
})

test('[DR-1] the main thread is given stats of 2,000 recorded paths or more, on a disk of this computer', {
  tags: ['linux']
}, () => {
  using temp = tempFolder()
  const file = join(temp.path, 'file')
  writeFileSync(file, 'text')
  const shared: StatBatch[] = []
  const share = { shareStats: (batch: StatBatch) => void shared.push(batch) }
  const scan = { root: temp.path, paths: 2000, processors: 2 }
  expect(openStatService(share, { ...scan, paths: 1999 })).toBeNull()
  expect(openStatService(share, { ...scan, root: '/proc' })).toBeNull()
  expect(openStatService(share, { ...scan, processors: 1 })).toBeNull()
  const statOf = openStatService(share, scan)?.take([file])()
  expect(shared).toHaveLength(1)
  // Nobody took it meanwhile.
  expect(statOf?.(0)?.ino).toBe(lstatSync(file).ino)
})

test('[DR-1] a comparison of 50,000 recorded paths has a second thread, one of fewer has none', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const { root } = folder
  const threads: Worker[] = []
  const note = (worker: Worker): void => void threads.push(worker)
  process.on('worker', note)
  await folder.engine.close()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  const recordAmong = async (paths: number) => {
    const absent = 'INSERT INTO path(id, parent, name, version, seen, covered, edit) VALUES (?, ?, ?, ?, 0, 0, 0)'
    const top = store.records.head('')?.id ?? 0
    transact(store, (tx) => run(tx, absent, paths, top, `absent-${paths}`, store.records.absent))
    const rules = createIgnoreRules(root)
    const context = { root, store, rules, boundaries: new Set<string>(), fileHelper: FILE_HELPER, now: Date.now }
    const author = { origin: 'outside', attribution: 'none', by: [], drift: null } as const
    const { edits } = await reconcile(context, 'all', () => () => author)
    // Node reports a new thread in the next turn.
    await setImmediate()
    return edits
  }
  try {
    writeFileSync(join(root, 'a'), 'two')
    expect(await recordAmong(49_999)).toMatchObject([{ path: 'a' }])
    expect(threads).toHaveLength(0)
    writeFileSync(join(root, 'a'), 'three')
    expect(await recordAmong(50_000)).toMatchObject([{ path: 'a' }])
    expect(threads).toHaveLength(1)
    for (const thread of threads) if (thread.threadId > 0) await once(thread, 'exit')
  } finally {
    process.off('worker', note)
    store.close()
  }
})
