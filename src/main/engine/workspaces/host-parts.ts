/** The parts that only a full engine loads: a hook, which opens a store for one event, gets no parts. */
import { createAgentSessions } from '../agents/resume.ts'
import { watchFolder } from '../watch/watcher.ts'
import { hostWorkspace } from './host-workspace.ts'

export const HOST_PARTS = { createAgentSessions, hostWorkspace, watchFolder }
export type HostParts = typeof HOST_PARTS
