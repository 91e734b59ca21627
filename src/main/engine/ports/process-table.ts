/** The processes of this computer, read from /proc (Linux only): who started whom, and when. See proc_pid_stat(5). */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  /** As in ProcessId: clock ticks after the system's start. */
  readonly start: string
  /** One letter: `T` is stopped, `t` traced, `Z` and `X` have ended. */
  readonly state: string
  /** It was forked and has not started its program yet: its parent may wait for that, as Node does. */
  readonly isStarting: boolean
}

/** `PF_FORKNOEXEC` of the kernel's flags of a process. */
const FORKED_ONLY = 0x40

export type ProcessTable = ReadonlyMap<number, ProcessRow>

/** All processes at this moment; empty where there is no /proc. */
export function readProcesses(): ProcessTable {
  const table = new Map<number, ProcessRow>()
  for (const name of listFolder('/proc')) {
    const row = /^\d+$/.test(name) ? readProcess(Number(name)) : null
    if (row) table.set(row.pid, row)
  }
  return table
}

/** A process and all it started, found from it: much faster than reading all. Null where the system lists no children. */
export function readFamily(pid: number): ProcessTable | null {
  const table = new Map<number, ProcessRow>()
  const row = readProcess(pid)
  if (row) table.set(pid, row)
  for (const [member] of table) {
    const children = childrenOf(member)
    if (children === null) return null
    for (const child of children) {
      const found = readProcess(child)
      if (found) table.set(child, found)
    }
  }
  return table
}

/** Each thread has a list of its own. Null where there is none (CONFIG_PROC_CHILDREN). */
function childrenOf(pid: number): number[] | null {
  const threads = listFolder(`/proc/${pid}/task`)
  const lists = threads.map((thread) => readProc(pid, `task/${thread}/children`))
  if (lists.length > 0 && lists.every((list) => list === null)) return readProcess(pid) ? null : []
  return lists.flatMap((list) => (list ?? '').split(' ').filter(Boolean).map(Number))
}

function listFolder(folder: string): string[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync(folder)
  } catch {
    // It has ended, or a sandbox hides it.
    return []
  }
}

/** Null when it has ended. */
export function readProcess(pid: number): ProcessRow | null {
  const fields = readStat(pid)
  if (fields === null) return null
  return {
    pid,
    parent: Number(fields[1]),
    start: fields[19] ?? '',
    state: fields[0] ?? '',
    isStarting: (Number(fields[6]) & FORKED_ONLY) !== 0
  }
}

/** Bit of SIGTERM, 15, in the kernel's sets of signals, whose first is 1. */
const TERMINATION = 1 << 14

/** Whether SIGTERM does nothing to it, so that only SIGKILL ends it. False when it has ended. */
export function ignoresTermination(pid: number): boolean {
  return (Number(readStat(pid)?.[30] ?? 0) & TERMINATION) !== 0
}

/** The fields after the name of its program; null when it has ended. */
function readStat(pid: number): readonly string[] | null {
  const stat = readProc(pid, 'stat')
  // The name, in parentheses, may contain spaces and parentheses.
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Whether the process was started with this variable: `NAME=value`. False for processes of other users. */
export function hasVariable(pid: number, variable: string): boolean {
  return `\0${readProc(pid, 'environ') ?? ''}\0`.includes(`\0${variable}\0`)
}

/** Its words, each followed by a NUL; '' when it has ended. */
export function commandLine(pid: number): string {
  return readProc(pid, 'cmdline') ?? ''
}

/** A tick of the system's clock as programs see it (USER_HZ), ms: the same on all architectures that Node runs on. */
const TICK_MS = 10

/** Converts starts of processes into ms UTC. */
export function startTimes(now: number): (row: Pick<ProcessRow, 'start'>) => number {
  const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000
  return ({ start }) => now - uptime + Number(start) * TICK_MS
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch (error) {
    // ENOENT, ESRCH: it has ended. EACCES: it is another user's.
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
