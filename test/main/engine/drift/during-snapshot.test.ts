/** A watching host during the initial snapshot of the folder. */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createEngine, type Engine } from '../../../../src/main/engine/engine.ts'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { presentPaths } from '../../../../src/main/engine/store/paths.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { TEST_PROGRAMS } from '../../../support/programs.ts'
import { changeAtRandom, seededRandom } from '../../../support/random-writer.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

afterEach(() => void vi.unstubAllEnvs())

test('[DR-5] a change reported during the snapshot is found when it is complete, whatever else changed', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' }, watch: true })
  const { workspace } = folder
  const look = async () =>
    (await folder.engine.call('drift.list', { workspace, check: true })).drift.flatMap((drift) => drift.paths)
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await expect.poll(state, { timeout: 10_000 }).toBe('live')
  expect([await look(), await look()]).toEqual([[], []])
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'coverage', 'copying')))
  // Changed rules need a scan, which waits for the end of the snapshot.
  writeFiles(folder.root, { a: 'two', '.gitignore': 'x\n' })
  await look()
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'coverage', 'complete')))
  expect(await look()).toEqual(['.gitignore', 'a'])
})

test('[DR-1] a change during the snapshot of a new folder is an outside edit, not one made while recording was off', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'coverage', 'none')))
  await folder.reopen()
  writeFiles(folder.root, { a: 'two' })
  await folder.engine.call('workspaces.add', { folder: folder.root, wait: true })
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  expect(drift).toMatchObject([{ cause: 'edits', paths: ['a'] }])
})

interface LargeFolder {
  readonly root: string
  readonly engine: Engine
}

/** Another process copies so many files. `change` resolves with the workspace when all are copied. */
async function copiesWhileChanged(change: (folder: LargeFolder) => Promise<string>): Promise<void> {
  using temp = tempFolder()
  const [root, dataDir] = [join(temp.path, 'project'), join(temp.path, 'data')]
  mkdirSync(root)
  writeFiles(
    root,
    Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`d${n % 7}/e${n % 110}/${n}`, `${n} `.repeat(n % 900)]))
  )
  const host = { dataDir, home: temp.path, host: 'server', programs: { ingest: TEST_PROGRAMS.copier } } as const
  const engine = await createEngine({ ...host, watch: true })
  const workspace = await change({ root, engine })
  const { head } = await engine.call('workspace.status', { workspace, check: true })
  await engine.close()
  const next = await createEngine({ ...host, watch: false })
  try {
    // Compares everything.
    const { drift, head: after } = await next.call('workspace.status', { workspace, check: true })
    expect([after, drift.filter(({ cause }) => cause === 'offline')]).toEqual([head, []])
    const store = openStore(storeFile(dataDir, workspace))
    expect(presentPaths(store).filter((path) => !lstatSync(join(root, path), { throwIfNoEntry: false }))).toEqual([])
    store.close()
  } finally {
    await next.close()
  }
}

test.each([
  ['once all names are listed', true],
  ['from the start', false]
])(
  '[DR-5] a large folder that is changed while it is copied, %s, is in the log as it is on disk',
  async (_, isCounted) => {
    await copiesWhileChanged(async ({ root, engine }) => {
      const random = seededRandom(7)
      let reports = 0
      engine.on('coverage.changed', ({ copy }) => {
        if (!copy || copy.counted !== isCounted) return
        reports++
        for (let n = 0; n < 8; n++) changeAtRandom(root, random)
      })
      const { workspace } = await engine.call('workspaces.add', { folder: root, wait: true })
      expect(reports).toBeGreaterThan(0)
      return workspace.id
    })
  }
)

test('[DR-5] a folder that is deleted after it is listed and before its name is recorded is in the log as it is on disk', async () => {
  using temp = tempFolder()
  const begin = join(temp.path, 'begin')
  vi.stubEnv('WAITS_FOR', begin)
  await copiesWhileChanged(async ({ root, engine }) => {
    const { workspace } = await engine.call('workspaces.add', { folder: root, wait: false })
    const look = () => engine.call('workspace.status', { workspace: workspace.id, check: true })
    await expect.poll(async () => (await look()).watcher.state, { timeout: 10_000 }).toBe('live')
    // Nothing is recorded of it yet, so that nothing says it is gone.
    rmSync(join(root, 'd2'), { recursive: true })
    await look()
    writeFileSync(begin, '')
    await engine.call('workspaces.add', { folder: root, wait: true })
    return workspace.id
  })
})
