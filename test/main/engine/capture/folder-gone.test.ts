/** [DR-1] A folder that vanishes during a scan: its missing files were not deleted. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { isFolderPresent } from '../../../../src/main/engine/capture/presence.ts'
import { reconcile } from '../../../../src/main/engine/capture/reconcile.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
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
