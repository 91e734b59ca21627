/**
 * Claude Code keeps a file for each of its processes that says whether it is busy. An interrupt before it has answered
 * anything leaves no other trace: no hook tells it, and the prompt goes back to the person without a record.
 */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRow } from '../sessions/runs.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { agentFolder, openOwnedFile, readSlice } from './agent-files.ts'
import { parseRecord } from './payload.ts'

/** Larger ones are something else, bytes. */
const MAX_STATUS_BYTES = 64 * 1024

/** Since when the process that works on this run waits for a person, ms UTC; null when it is busy or does not tell. */
export function idleSince({ root, home }: Recorder, session: SessionRow, run: RunRow): number | null {
  const folder = session.agent === 'claude-code' ? agentFolder(root, session.agent, home, session.home) : null
  const descriptor = folder ? openOwnedFile(folder, join(folder, 'sessions', `${run.pid}.json`)) : null
  if (descriptor === null) return null
  try {
    const told = parseRecord(readSlice(descriptor, 0, MAX_STATUS_BYTES).toString('utf8'))
    const isIdle = told.sessionId === session.id && told.status === 'idle'
    return isIdle && typeof told.statusUpdatedAt === 'number' ? told.statusUpdatedAt : null
  } finally {
    closeSync(descriptor)
  }
}
