/** Fills a store with a long history through the engine's own functions, for tests of large timelines. */

import { addCheckpoint } from '../../src/main/engine/checkpoints/checkpoints.ts'
import { write } from '../../src/main/engine/db/transaction.ts'
import { closeRun, openRun } from '../../src/main/engine/store/runs.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../src/main/engine/workspaces/open-workspace.ts'
import type { Project } from './project.ts'

const HOUR = 3_600_000

/** Adds `count` ended runs titled "Old run N", N from 1, one an hour up to now. The folder must have been added. */
export function addOldRuns(on: Project, count: number): void {
  const { workspace } = JSON.parse(on.driftline('status', '--json')) as { workspace: { id: string } | string }
  const id = typeof workspace === 'string' ? workspace : workspace.id
  const store = openStore(storeFile(on.dataDir, id))
  const first = Date.now() - (count + 1) * HOUR
  try {
    write(store.db, () => {
      for (let n = 1; n <= count; n++) {
        const at = first + n * HOUR
        const { id: checkpoint, seq } = addCheckpoint({ store, root: '/' }, { reason: 'run_start' }, at)
        const { run } = openRun(
          store,
          {
            title: `Old run ${n}`,
            agent: n % 3 === 0 ? 'codex' : 'claude-code',
            session: null,
            process: { pid: process.pid, start: '' },
            startSeq: seq,
            startCheckpoint: checkpoint,
            drifted: false,
            incomplete: false
          },
          at
        )
        const end = {
          state: 'ended',
          completion: 'completed',
          checkpoint: null,
          exitCode: 0,
          incomplete: false
        } as const
        closeRun(store, run, { ...end, seq, files: n % 4, added: n % 7, deleted: n % 5 }, at + HOUR / 4)
      }
    })
  } finally {
    store.close()
  }
}
