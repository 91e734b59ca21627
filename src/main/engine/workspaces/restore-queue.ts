/** Applies queued restores whenever the last run that may write has ended. */
import type { QueuedRestore, RestoreResult } from '../../../contract/restore.ts'
import { applyQueuedRestores } from '../restore/queue.ts'
import type { RestoreContext } from '../restore/restore-context.ts'
import type { Emit } from './workspace.ts'

interface RestoreQueue {
  /** Starts, unless a run may still write. */
  request(): void
  /** Resolves when nothing is written any more. */
  close(): Promise<void>
}

interface Options {
  readonly workspace: string
  readonly emit: Emit
  onError(error: unknown): void
}

export function createRestoreQueue(context: RestoreContext, { workspace, emit, onError }: Options): RestoreQueue {
  let [closed, requested] = [false, false]
  let running: Promise<void> | null = null
  const onEnded = (queued: QueuedRestore, result: RestoreResult | null): void =>
    emit('restore.queue-ended', {
      workspace,
      queued,
      state: result?.state ?? 'held',
      files: result?.items.filter((item) => item.result === 'done').length ?? 0
    })
  const apply = async (): Promise<void> => {
    // After the caller's work, but before a prompt that comes next waits for the lock.
    await null
    while (requested && !closed) {
      requested = false
      await applyQueuedRestores(context, {
        isClosed: () => closed,
        onEnded,
        progress: (restore, phase, done, total, path) =>
          emit('restore.progress', { workspace, restore, phase, done, total, path })
      })
    }
  }
  const start = (): void => {
    if (running || closed) return
    running = apply()
      .catch(onError)
      .finally(() => {
        running = null
        // A request that came after the last look at the queue.
        if (requested) start()
      })
  }
  return {
    request: () => {
      requested = true
      start()
    },
    close: async () => {
      closed = true
      await running
    }
  }
}
