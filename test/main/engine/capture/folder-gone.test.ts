/** [DR-1] A folder that vanishes during a scan: its missing files were not deleted. */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { append } from '../../../../src/main/engine/capture/append.ts'
import { DEFAULT_CAPTURE_SETTINGS } from '../../../../src/main/engine/capture/capture-settings.ts'
import { createScan } from '../../../../src/main/engine/capture/findings.ts'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { takeInitialSnapshot } from '../../../../src/main/engine/capture/initial-snapshot.ts'
import { listFolders } from '../../../../src/main/engine/capture/listed-folders.ts'
import { type Observation, observeUnstable } from '../../../../src/main/engine/capture/observe.ts'
import { isFolderPresent } from '../../../../src/main/engine/capture/presence.ts'
import { type RecordingContext, reconcile } from '../../../../src/main/engine/capture/reconcile.ts'
import { readBatch, type SnapshotJob } from '../../../../src/main/engine/capture/snapshot-batch.ts'
import { walkTree } from '../../../../src/main/engine/capture/tree-walk.ts'
import { ORDINARY_EDITS, outsideAuthor } from '../../../../src/main/engine/drift/drifts.ts'
import { lstatSignature } from '../../../../src/main/engine/files/signature.ts'
import { createWorkspaceFs } from '../../../../src/main/engine/files/workspace-fs.ts'
import { coverageState } from '../../../../src/main/engine/store/coverage.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { transact, type Writable } from '../../../../src/main/engine/store/sql.ts'
import { startSnapshotChild } from '../../../../src/main/engine/workspaces/snapshot-child.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { versions } from '../../../support/recorded-state.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[DR-1] a scan during which the folder vanished records nothing, and the next scan finds everything', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'two', 'd/c': 'three' } })
  const { root } = folder
  writeFiles(root, { 'd/b': 'changed', new: 'n' })
  await folder.engine.close()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  const context = { root, store, rules: createIgnoreRules(root), boundaries: new Set<string>(), now: Date.now }
  const author = { origin: 'outside', attribution: 'none', by: [], drift: null } as const
  renameSync(join(root, 'd/c'), `${root}-c`)
  const { edits } = await reconcile(context, 'all', () => () => author, {
    // Called while findings wait to be recorded: the folder vanishes at that moment.
    isFolderPresent: () => {
      renameSync(root, `${root}-away`)
      return isFolderPresent(context)
    }
  })
  store.close()
  expect(edits).toEqual([])
  renameSync(`${root}-away`, root)
  renameSync(`${root}-c`, join(root, 'd/c'))
  await folder.reopen()
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift.flatMap(({ paths }) => paths)).toEqual(['d/b', 'new'])
})

test('[WT-3] an initial snapshot is not complete where the folder vanished meanwhile, as a worktree that was removed at once', async () => {
  using temp = tempFolder()
  const root = join(temp.path, 'hasty')
  writeFiles(root, { 'a.txt': 'a', 'new/b.txt': 'b' })
  const store = openStore(join(temp.path, 'store.db'))
  const read = async (jobs: readonly SnapshotJob[]) => {
    rmSync(root, { recursive: true })
    return readBatch(root, jobs)
  }
  const rules = createIgnoreRules(root)
  const names = listFolders({ root, rules, boundaries: new Set() }, null)
  const reader = { ahead: 1, read, release: () => {} }
  const snapshot = takeInitialSnapshot({ root, store, rules, names, onProgress: () => {}, reader })
  await expect(snapshot).rejects.toMatchObject({
    code: 'FolderMissing'
  })
  expect(coverageState(store)).not.toBe('complete')
  store.close()
})

/** Changes the store of a closed folder, all of whose stats are old enough to be trusted, and opens it again. */
async function changeStore(folder: RecordedFolder, change: (context: RecordingContext) => unknown): Promise<void> {
  const { root } = folder
  await folder.engine.close()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  transact(store, ({ records }) => {
    for (const path of ['', 'd', 'd/b', 'd/c']) {
      const head = records.head(path)
      if (head) records.setSignature(head.id, lstatSignature(join(root, path)), LATER)
    }
  })
  await change({ root, store, rules: createIgnoreRules(root), boundaries: new Set<string>(), now: Date.now })
  store.close()
  await folder.reopen()
}
const LATER = Date.now() + 100_000
const outside = (tx: Writable<Store>) => () => outsideAuthor(tx, ORDINARY_EDITS, Date.now())
const kinds = async (folder: RecordedFolder): Promise<string[]> =>
  (await versions(folder, 'd/c')).map(({ kind, stored }) => `${kind} ${stored}`)

test('[DR-1] a file that was recorded as deleted while a folder above moved is recorded again by the next check', async () => {
  await using folder = await recordedFolder({ files: { 'd/b': 'two', 'd/c': 'three' } })
  const { root } = folder
  await changeStore(folder, async (context) => {
    renameSync(root, `${root}-away`)
    // As if it were back at the moment of each question.
    const isFolderPresent = (): boolean => true
    await reconcile(context, { paths: ['d/c'], trees: [] }, outside, { isFolderPresent })
    renameSync(`${root}-away`, root)
  })
  expect(await kinds(folder)).toEqual(['absent true', 'file true'])
  await folder.check()
  expect(await kinds(folder)).toEqual(['file true', 'absent true', 'file true'])
})

test('[DR-1] a folder whose names are gone once they were listed, because one above moved, does not count as listed', async () => {
  await using folder = await recordedFolder({ files: { 'd/b': 'two', 'd/c': 'three' } })
  await changeStore(folder, ({ root, store, rules, boundaries }) => {
    writeFiles(root, { 'd/new': 'n' })
    const children = (id: number) => {
      renameSync(root, `${root}-away`)
      return store.records.children(id)
    }
    const records = { ...store.records, children }
    const scan = createScan({ root, records, rules, boundaries, named: new Set(), deep: false, now: Date.now })
    const found = [...walkTree(scan, 'd')].flatMap((finding) => finding?.path ?? [])
    renameSync(`${root}-away`, root)
    expect([found, scan.notes.listed]).toEqual([['d/b', 'd/c'], []])
  })
})

test('[CP-2] a file that was recorded as changing while a folder above moved is read again by the next check', async () => {
  await using folder = await recordedFolder({ files: { 'd/b': 'two', 'd/c': 'three' } })
  const { root } = folder
  await changeStore(folder, ({ store }) => {
    const observed = [observeUnstable(createWorkspaceFs(root), 'd/c') as Observation]
    transact(store, (tx) => append(tx, root, observed, { author: outside(tx), at: Date.now() }))
  })
  expect(await kinds(folder)).toEqual(['file false', 'file true'])
  await folder.check()
  expect(await kinds(folder)).toEqual(['file true', 'file false', 'file true'])
})

test('[DR-1] a folder that moves away after its files were read and before its own row is compared takes them along', async () => {
  // Large enough to be recorded at once, and the files before it with it.
  const large = (letter: string): string => letter.repeat(2_000_000)
  await using folder = await recordedFolder({ files: { 'd/in/b': 'two', 'd/in/c': large('c') } })
  await changeStore(folder, async (context) => {
    writeFiles(context.root, { 'd/in/b': 'changed', 'd/in/c': large('d') })
    const trees = function* (): Generator<string> {
      renameSync(join(context.root, 'd/in'), join(context.root, 'd/out'))
      yield 'd'
    }
    await reconcile(context, { paths: ['d/in/b', 'd/in/c'], trees: trees() }, outside)
    const kindOf = (path: string) => context.store.records.version(context.store.records.head(path)?.version ?? 0).kind
    expect(['d/in', 'd/in/b', 'd/in/c', 'd/out', 'd/out/b', 'd/out/c'].map(kindOf)).toEqual([
      'absent',
      'absent',
      'absent',
      'dir',
      'file',
      'file'
    ])
  })
})

test('[WT-3] the process of an initial snapshot that fails because the folder is gone says so and ends', async () => {
  using temp = tempFolder()
  const request = {
    root: join(temp.path, 'gone'),
    storeFile: join(temp.path, 'store.db'),
    settings: DEFAULT_CAPTURE_SETTINGS,
    progress: { files: 0, filesTotal: 0, bytes: 0, counted: true }
  }
  await expect(startSnapshotChild(INGEST_PROGRAM, request, () => {}).done).rejects.toMatchObject({
    code: 'FolderMissing'
  })
})
