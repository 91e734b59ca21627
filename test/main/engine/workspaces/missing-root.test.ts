import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../../../support/recorded.ts'

test('[UI-1] a folder that went away is missing, not deleted; when it comes back it is recorded on', async () => {
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

test('[UI-1] clients are told within a moment that the folder went away and that it came back', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' }, watch: true })
  const { workspace, engine, root } = folder
  const until = (wanted: 'present' | 'missing'): Promise<void> =>
    new Promise((resolve) => {
      const off = engine.on('workspace.changed', ({ kinds }) => {
        if (!kinds.includes('status')) return
        void engine.call('workspace.status', { workspace, check: false }).then((status) => {
          if (status.folder !== wanted) return
          off()
          resolve()
        })
      })
    })
  await engine.call('workspace.status', { workspace, check: true })
  const gone = until('missing')
  renameSync(root, `${root}-away`)
  await gone
  const back = until('present')
  renameSync(`${root}-away`, root)
  await back
})
