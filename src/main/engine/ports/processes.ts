/** Identifies processes by pid and start time, because pids are reused, and tasks of a process. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface ProcessId {
  readonly pid: number
  /** Opaque; "" if unknown. Linux: field 22 (`starttime`) of /proc/PID/stat, see proc_pid_stat(5). */
  readonly start: string
}

let own: ProcessId | null = null

/** This process. Its start time is read once, because it never changes. */
export function ownProcess(): ProcessId {
  own ??= { pid: process.pid, start: processStart(process.pid) }
  return own
}

/** Something that this thread does until it is disposed. */
export interface Task extends Disposable {
  /** For a history: alive as long as the task. */
  readonly owner: ProcessId
}

/** Those of this thread, by the start of their owners. */
const tasks = new Set<string>()

/**
 * Begins a task whose owner a history names, so that it can be found unfinished. The process may outlive it: the engine is
 * started again in the same process after a crash, and the end of a task cannot be written on a full disk.
 *
 * One process at a time holds a data folder (RC-3), and only its engine asks who is at work in a history: a task that is
 * not its own is over, whatever process has the number of its owner now.
 */
export function beginTask(): Task {
  const { pid, start } = ownProcess()
  const owner = { pid, start: `${start}@${randomUUID()}` }
  tasks.add(owner.start)
  return { owner, [Symbol.dispose]: () => void tasks.delete(owner.start) }
}

const ENDED = 'ended'

/** False once exactly this process has ended; of a task, true only while this thread is at it. */
export function isAlive(id: ProcessId): boolean {
  // 0 and negative numbers address process groups (kill(2)).
  if (id.pid <= 0) return false
  if (id.start.includes('@')) return tasks.has(id.start)
  try {
    process.kill(id.pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const start = processStart(id.pid)
  // A zombie has ended; only its parent has not waited for it.
  if (start === ENDED) return false
  return id.start === '' || start === '' || start === id.start
}

/** Start time of a process as in ProcessId; `ENDED` for a zombie. */
export function processStart(pid: number): string {
  if (process.platform !== 'linux') return ''
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Field 2, the command name in parentheses, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? ENDED : (fields[19] ?? '')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
