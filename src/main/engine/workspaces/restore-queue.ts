/** Applies queued restores whenever the last run that may write has ended. */
import { createRepeatedWork, type RepeatedWork } from '../ports/repeated-work.ts'
import { applyQueuedRestores } from '../restore/queue.ts'
import type { RestoreContext } from '../restore/restore-context.ts'
import type { Emit } from './workspace.ts'

interface Options {
  readonly workspace: string
  readonly emit: Emit
  readonly onError: (error: unknown) => void
}

/** Does nothing while a run may still write. It begins before a prompt that comes next waits for the lock. */
export function createRestoreQueue(context: RestoreContext, { workspace, emit, onError }: Options): RepeatedWork {
  return createRepeatedWork(
    ({ isClosed }) =>
      applyQueuedRestores(context, {
        isClosed,
        onEnded: (queued, result) =>
          emit('restore.queue-ended', {
            workspace,
            queued,
            state: result?.state ?? 'held',
            files: result?.items.filter((item) => item.result === 'done').length ?? 0
          }),
        progress: (restore, phase, done, total, path) =>
          emit('restore.progress', { workspace, restore, phase, done, total, path })
      }),
    onError
  )
}
