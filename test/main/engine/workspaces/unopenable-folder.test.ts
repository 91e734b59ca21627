import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const isRecording = async ({ engine }: RecordedFolder, workspace: string): Promise<boolean | undefined> =>
  (await engine.call('workspaces.list', {})).workspaces.find(({ id }) => id === workspace)?.recording

test('a folder that cannot be opened, whatever the reason, keeps no other from being recorded', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const other = join(dirname(folder.root), 'other')
  writeFiles(other, { 'b.txt': 'b' })
  const { workspace } = await folder.engine.call('workspaces.add', { folder: other, wait: true })
  await folder.engine.close()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  transact(store, (tx) => {
    writeMeta(tx, 'coverage', 'copying')
    writeMeta(tx, 'copier', 'no JSON')
  })
  store.close()
  await folder.reopen({ watch: true })
  expect(await isRecording(folder, workspace.id)).toBe(true)
  expect(await isRecording(folder, folder.workspace)).toBe(false)
})

test('a folder is watched where the folder for its barriers cannot be made', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const barrier = join(folder.dataDir, 'w', folder.workspace, 'barrier')
  rmSync(barrier, { recursive: true, force: true })
  writeFileSync(barrier, 'in the way')
  await folder.reopen({ watch: true })
  writeFiles(folder.root, { 'a.txt': 'changed' })
  expect(await isRecording(folder, folder.workspace)).toBe(true)
  const { drift } = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(drift).toMatchObject([{ paths: ['a.txt'] }])
})
