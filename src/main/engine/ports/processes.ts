/** Which processes are alive. A pid alone is not enough: it is reused, so its start time goes with it. */
import { readFileSync } from 'node:fs'
import { errorCode } from './fs-errors.ts'

export interface ProcessId {
  readonly pid: number
  /** Opaque; "" when the system does not tell. Linux: field 22 of /proc/PID/stat. */
  readonly start: string
}

export function ownProcess(): ProcessId {
  return { pid: process.pid, start: processStart(process.pid) }
}

const ENDED = 'ended'

/** False when that very process has ended. */
export function isAlive(id: ProcessId): boolean {
  // 0 and less name groups of processes, not one.
  if (id.pid <= 0) return false
  try {
    process.kill(id.pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
  const start = processStart(id.pid)
  // A zombie has ended; only its parent has not asked yet.
  if (start === ENDED) return false
  return id.start === '' || start === '' || start === id.start
}

export function processStart(pid: number): string {
  if (process.platform !== 'linux') return ''
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name in parentheses may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? ENDED : (fields[19] ?? '')
  } catch (error) {
    if (errorCode(error) !== '') return ''
    throw error
  }
}
