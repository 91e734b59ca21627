/** The file tools that agents use through Driftline. */
import { join } from 'node:path'
import { requireFolder } from '../capture/presence.ts'
import { checkDisk } from '../drift/check.ts'
import { liveRunOf } from '../runs/agent-runs.ts'
import { endRun } from '../runs/end-run.ts'
import { runFacts, runState } from '../runs/run-state.ts'
import { acquireLock } from '../store/host-lock.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { useTool } from '../tools/use-tool.ts'
import { ingestSpool } from './agents.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const TOOLS: WorkspaceHandlers<'tools.use' | 'tools.leave'> = {
  'tools.use': async (open, { workspace: _, ...request }, context) => {
    const { clock, options } = context
    requireFolder(open, 'nothing was changed.')
    // A hook may have spooled the call that this use belongs to.
    await ingestSpool(context)
    const lockFile = join(options.dataDir, 'w', open.workspace.id, 'tools.db')
    return useTool({ workspace: open, clock, acquireLock: () => acquireLock(lockFile, 0) }, request)
  },
  'tools.leave': (open, { session }, { emit }) =>
    open.lock.run(async () => {
      const run = liveRunOf(open.store, findSession(open.store, session))
      const verdict = run && runState(runFacts(open.store, run, 'disconnect'), open.now())
      if (run && verdict && verdict.state !== 'live') {
        await checkDisk(open, 'position')
        const { files } = endRun(open, run, verdict)
        emit('run.ended', { workspace: open.workspace.id, run: run.id, title: run.name, files })
      }
      transact(open.store, (tx) =>
        updateSession(tx, session, { ended_at: open.now(), run: null, turn: null, phase: 'stopped' })
      )
      open.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
      return {}
    })
}
