/** Waits until long transcripts are imported, which happens after their events were answered. */
import { sessionsBehind } from '../../src/main/engine/store/late-steps.ts'
import type { RecordedFolder } from './recorded-folder.ts'

export async function caughtUp(folder: Pick<RecordedFolder, 'engine' | 'store'>): Promise<void> {
  for (;;) {
    const changed = Promise.withResolvers<void>()
    const stop = folder.engine.on('workspace.changed', () => changed.resolve())
    try {
      if (folder.store((store) => sessionsBehind(store).length === 0)) return
      await changed.promise
    } finally {
      stop()
    }
  }
}
