/** The parts that only a full engine loads: a hook, which opens a store for one event, gets no parts. */
import { createAgentSessions } from '../agents/resume.ts'
import { limitsOf } from '../retention/limits.ts'
import { createMaintenance } from '../retention/maintenance.ts'
import { sweep } from '../retention/sweep.ts'
import { measure } from '../retention/usage.ts'
import { watchFolder } from '../watch/watcher.ts'
import { createSnapshotRunner } from './snapshot-runner.ts'

export const HOST_PARTS = {
  createAgentSessions,
  createMaintenance,
  createSnapshotRunner,
  limitsOf,
  measure,
  sweep,
  watchFolder
}
export type HostParts = typeof HOST_PARTS
