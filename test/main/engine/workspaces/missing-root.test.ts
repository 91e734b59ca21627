import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMeta, writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[UI-1] a folder that vanished is missing, not deleted; when it is back, recording resumes', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' }, watch: true })
  const { workspace } = folder
  const away = `${folder.root}-away`
  renameSync(folder.root, away)
  await folder.reopen()
  const gone = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(gone).toMatchObject({ folder: 'missing', recording: false, drift: [], head: 0 })
  await expect(folder.run('work', () => {})).rejects.toMatchObject({ code: 'FolderMissing' })

  renameSync(away, folder.root)
  writeFileSync(join(folder.root, 'a.txt'), 'changed while away\n')
  const back = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(back).toMatchObject({ folder: 'present', drift: [{ paths: ['a.txt'] }] })
})

test('[UI-1] clients are notified at once that the folder vanished and that it is back', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' }, watch: true })
  const { workspace, engine, root } = folder
  const shown: string[] = []
  await engine.call('workspace.status', { workspace, check: true })
  engine.on('workspace.changed', ({ kinds }) => {
    if (!kinds.includes('status')) return
    const status = engine.call('workspace.status', { workspace, check: false })
    // Refused at the end of the test.
    status.then((now) => shown.push(now.folder)).catch(() => {})
  })
  renameSync(root, `${root}-away`)
  await expect.poll(() => shown.at(-1)).toBe('missing')
  renameSync(`${root}-away`, root)
  await expect.poll(() => shown.at(-1)).toBe('present')
})

test('[B21] [DR-1] an empty folder on another disk is a bare mount point: nothing is recorded as deleted, nothing is written into it', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one' } })
  const { workspace, root } = folder
  const run = await folder.run('edit', () => writeFiles(root, { a: 'two' }))
  const head = folder.store((store) => store.records.lastSeq())
  // The folder is on another disk than the recorded one, as after umount.
  const disk = folder.store((store) => readMeta(store, 'disk')) as string
  const recordedOn = (other: string): void =>
    folder.store((store) => transact(store, (tx) => writeMeta(tx, 'disk', other)))
  recordedOn(`${disk}0`)
  renameSync(root, `${root}-mounted`)
  mkdirSync(root)
  const gone = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(gone).toMatchObject({ folder: 'missing', head, drift: [] })
  await expect(folder.run('work', () => {})).rejects.toMatchObject({ code: 'FolderMissing' })
  await expect(folder.apply({ kind: 'undo-run', run })).rejects.toMatchObject({ code: 'FolderMissing' })
  expect(readdirSync(root)).toEqual([])

  rmSync(root, { recursive: true })
  renameSync(`${root}-mounted`, root)
  const back = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(back).toMatchObject({ folder: 'present', head, drift: [] })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
})

test('[A13] a folder that was removed and created again on the same disk has lost its files, and an undo restores them', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one' } })
  const { root } = folder
  const before = folder.tree()
  const run = await folder.run('start over', () => {
    rmSync(root, { recursive: true })
    mkdirSync(root)
  })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})
