/**
 * Claude Code keeps a file for each of its processes that says whether it is busy. An interrupt before it has answered
 * anything leaves no other trace: no hook tells it, and the prompt goes back to the person without a record.
 */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRow } from '../sessions/runs.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { folderOf, openBelow, slice } from './agent-files.ts'
import { recordOf } from './event.ts'

/** Larger ones are something else, bytes. */
const LARGEST = 64 * 1024

/** Since when the process that works on this run waits for a person, ms UTC; null when it is busy or does not tell. */
export function idleSince({ root, home }: Recorder, session: SessionRow, run: RunRow): number | null {
  const folder = session.agent === 'claude-code' ? folderOf(root, session.agent, home, session.home) : null
  const descriptor = folder ? openBelow(folder, join(folder, 'sessions', `${run.pid}.json`)) : null
  if (descriptor === null) return null
  try {
    const told = recordOf(slice(descriptor, 0, LARGEST).toString('utf8'))
    const isIdle = told.sessionId === session.id && told.status === 'idle'
    return isIdle && typeof told.statusUpdatedAt === 'number' ? told.statusUpdatedAt : null
  } finally {
    closeSync(descriptor)
  }
}
