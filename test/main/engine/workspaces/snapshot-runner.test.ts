import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coverageState } from '../../../../src/main/engine/store/coverage.ts'
import { createSnapshotRunner } from '../../../../src/main/engine/workspaces/snapshot-runner.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

test('closing waits for what follows an initial snapshot, so that nothing is written to a closed history', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  await folder.engine.close()
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isMeasured = false
  const runner = createSnapshotRunner(open.recorder, {
    program: INGEST_PROGRAM,
    settings: () => {
      throw new Error('a small folder needs no other process')
    },
    sharesWith: () => null,
    measure: async () => {
      begun.resolve()
      await released.promise
      await nextTurn()
      isMeasured = true
    },
    onProgress: () => {}
  })
  const run = runner.run()
  await begun.promise
  const closed = runner.close().then(() => isMeasured)
  released.resolve()
  expect(await closed).toBe(true)
  await run
})

test('[WT-2] an initial snapshot that ends with its process is continued by the next one', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  const { workspace } = folder
  await folder.engine.close()
  {
    await using open = openRecorder(folder.dataDir, workspace)
    writeFiles(folder.root, { b: 'b' })
    const options = { program: INGEST_PROGRAM, sharesWith: () => null, measure: async () => {}, onProgress: () => {} }
    const settings = () => {
      throw new Error('a small folder needs no other process')
    }
    const runner = createSnapshotRunner(open.recorder, { ...options, settings })
    const run = runner.run()
    await Promise.all([expect(run).rejects.toMatchObject({ code: 'Cancelled' }), runner.close()])
    expect(coverageState(open.recorder.store)).toBe('partial')
  }
  await folder.reopen({ watch: true })
  const status = () => folder.engine.call('workspace.status', { workspace, check: false })
  await expect.poll(status).toMatchObject({ coverage: 'complete', covered: { files: 2 } })
})
