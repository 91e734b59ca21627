/**
 * Reads the status file that Claude Code keeps for each of its processes. It is the only trace of an interrupt before
 * the first answer: no hook reports that, and the transcript gets no record.
 */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRow } from '../store/runs.ts'
import type { SessionRow } from '../store/sessions.ts'
import { agentFolder, openOwnedFile, readSlice } from './agent-files.ts'
import type { AgentFilesContext } from './agent-workspace.ts'
import { parseRecord } from './payload.ts'

/** A larger file is not a status file, bytes. */
const MAX_STATUS_BYTES = 64 * 1024

/** When the run's process became idle, ms UTC; null while it is busy, or when its status is unknown. */
export function idleSince({ root, home }: AgentFilesContext, session: SessionRow, run: RunRow): number | null {
  const folder = session.agent === 'claude-code' ? agentFolder(root, session.agent, home, session.home) : null
  const descriptor = folder ? openOwnedFile(folder, join(folder, 'sessions', `${run.pid}.json`)) : null
  if (descriptor === null) return null
  try {
    const status = parseRecord(readSlice(descriptor, 0, MAX_STATUS_BYTES).toString('utf8'))
    const isIdle = status.sessionId === session.id && status.status === 'idle'
    return isIdle && typeof status.statusUpdatedAt === 'number' ? status.statusUpdatedAt : null
  } finally {
    closeSync(descriptor)
  }
}
