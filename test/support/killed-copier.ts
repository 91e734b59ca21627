/**
 * The process of an initial snapshot, killed once the first files are stored and others are not: it kills itself, and before
 * that its host if `KILLS_HOST` is set.
 */
import './full-priority.ts'
import { createIgnoreRules } from '../../src/main/engine/capture/ignore-rules.ts'
import { takeInitialSnapshot } from '../../src/main/engine/capture/initial-snapshot.ts'
import { readBatch } from '../../src/main/engine/capture/snapshot-batch.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { receiveNames, type SnapshotRequest } from '../../src/main/engine/workspaces/snapshot-messages.ts'

const { root, storeFile, settings } = JSON.parse(process.argv[2] as string) as SnapshotRequest
await takeInitialSnapshot({
  root,
  store: openStore(storeFile),
  rules: createIgnoreRules(root, settings),
  names: receiveNames(),
  reader: { ahead: 1, read: async (jobs) => readBatch(root, jobs), release: () => {} },
  onProgress: ({ files }) => {
    if (files === 0) return
    if (process.env.KILLS_HOST) process.kill(process.ppid, 'SIGKILL')
    process.kill(process.pid, 'SIGKILL')
  }
})
