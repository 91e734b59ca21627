/** Fills a store with a long history through the engine's own functions, for tests of large timelines. */
import { openRun } from '../../src/main/engine/runs/open-run.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { setRunEnd } from '../../src/main/engine/store/runs.ts'
import { transact } from '../../src/main/engine/store/sql.ts'
import { endOpenTurn } from '../../src/main/engine/store/turns.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import type { Project } from './project.ts'

const HOUR = 3_600_000
const ENOUGH_SPACE = {
  measure: () => ({ low: false, free: 0 }),
  reportFull: () => {},
  consumeResumed: () => false
}

/** Adds `count` ended runs titled "Old run N", N from 1, one an hour up to now. The folder must have been added. */
export async function addOldRuns(on: Project, count: number): Promise<void> {
  addOldRunsTo(on.dataDir, await on.workspace(), count)
}

/** The same for a workspace of a data folder. */
export function addOldRunsTo(dataDir: string, workspace: string, count: number): void {
  const store = openStore(storeFile(dataDir, workspace))
  const first = Date.now() - (count + 1) * HOUR
  try {
    transact(store, (tx) => {
      for (let n = 1; n <= count; n++) {
        const at = first + n * HOUR
        const context = { root: '/', space: ENOUGH_SPACE, now: () => at, setting: () => null }
        const { run } = openRun(tx, context, {
          source: 'command',
          title: `Old run ${n}`,
          agent: n % 3 === 0 ? 'codex' : 'claude-code',
          session: null,
          prompt: `Old run ${n}`,
          process: { pid: process.pid, start: '' },
          incomplete: false
        })
        const end = {
          state: 'ended',
          completion: 'completed',
          checkpoint: null,
          exitCode: 0
        } as const
        const seq = tx.records.lastSeq()
        setRunEnd(tx, run, { ...end, seq, files: n % 4, added: n % 7, deleted: n % 5 }, at + HOUR / 4)
        endOpenTurn(tx, run, seq, at + HOUR / 4)
      }
    })
  } finally {
    store.close()
  }
}
