/** The file tools that agents use through Driftline. */
import { write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { liveRunOf } from '../runs/agent-runs.ts'
import { endRun } from '../runs/end-run.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import { useTool } from '../tools/use-tool.ts'
import type { Handlers } from './handler.ts'

export const TOOLS: Handlers<'tools.use' | 'tools.leave'> = {
  'tools.use': ({ registry, clock, options }, { workspace, ...request }) =>
    useTool({ recorder: registry.open(workspace), clock, dataDir: options.dataDir }, request),
  'tools.leave': ({ registry, emit }, { workspace, session }) => {
    const open = registry.open(workspace)
    return open.lock.run(async () => {
      const run = liveRunOf(open, findSession(open.store, session))
      if (run?.tools === 1) {
        await checkDisk(open, 'position')
        const { files } = endRun(open, run, { state: 'ended', exitCode: null, incomplete: false })
        emit('run.ended', { workspace: open.workspace.id, run: run.id, title: run.title, files })
      }
      write(open.store.db, () =>
        updateSession(open.store, session, { ended_at: open.now(), run: null, turn: null, phase: 'stopped' })
      )
      open.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
      return {}
    })
  }
}
