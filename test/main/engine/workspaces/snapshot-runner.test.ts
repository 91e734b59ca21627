import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSnapshotRunner } from '../../../../src/main/engine/workspaces/snapshot-runner.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

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
