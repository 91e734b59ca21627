/**
 * The process that takes an initial snapshot. It opens the store itself, runs worker threads and reports its progress
 * to its parent. A process of its own, because its memory is returned to the system when it exits.
 */
import { availableParallelism } from 'node:os'
import { toErrorShape } from '../contract/errors.ts'
import { createIgnoreRules } from './engine/capture/ignore-rules.ts'
import { takeInitialSnapshot } from './engine/capture/initial-snapshot.ts'
import { startSnapshotThreads } from './engine/capture/snapshot-threads.ts'
import { holdLargeTransactions } from './engine/store/database.ts'
import { openStore } from './engine/store/open-store.ts'
import { receiveNames, type SnapshotMessage, type SnapshotRequest } from './engine/workspaces/snapshot-messages.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** One thread more than cores, at most 6: while one waits for the disk, another one compresses. */
const threads = Math.min(6, availableParallelism() + 1)

function report(message: SnapshotMessage): void {
  // The parent may have exited just now, before 'disconnect' arrives here.
  process.send?.(message, (error: Error | null) => error && exitOrphaned())
}

// Without its host the process stops. The next start continues from the stored progress.
function exitOrphaned(): never {
  process.exit(1)
}
process.on('disconnect', exitOrphaned)

const order = JSON.parse(process.argv[2] as string) as SnapshotRequest
const names = order.progress.counted ? {} : { names: receiveNames() }
try {
  const store = openStore(order.storeFile)
  holdLargeTransactions(store.db)
  await using reader = startSnapshotThreads(new URL(`./ingest-worker.${extension}`, import.meta.url), {
    root: order.root,
    threads
  })
  const isAlone = await takeInitialSnapshot({
    root: order.root,
    store,
    rules: createIgnoreRules(order.root, order.settings),
    ...names,
    progress: order.progress,
    reader,
    onProgress: (progress) => report({ progress })
  })
  report({ isAlone })
  store.close()
  process.exitCode = 0
} catch (error) {
  report({ failed: toErrorShape(error) })
  process.exitCode = 1
}
process.off('disconnect', exitOrphaned)
process.disconnect?.()
