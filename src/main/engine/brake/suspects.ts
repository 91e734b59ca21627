/** The runs that may delete files now, and what proves that a process belongs to one (BR-4). */
import { log } from '../ports/log.ts'
import { commandLine, hasVariable, readFamily, readProcesses, startTimes } from '../ports/process-table.ts'
import { findStop } from '../store/brake-stops.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, type RunRow } from '../store/runs.ts'
import { callsOf, openWritingCalls } from '../store/tool-calls.ts'
import { openCommandTurns } from '../store/turns.ts'
import { type Proof, type Proven, provenProcesses } from './run-processes.ts'

const NONE: Proven = { processes: [], isStarting: false }

/** Runs with an open command, and runs of `driftline run` without an agent that reports. */
export function runsWithCommand(store: Store): string[] {
  const calls = openWritingCalls(store).filter(({ wholeFolder }) => wholeFolder === 1)
  return [...new Set([...calls, ...openCommandTurns(store)].map(({ run }) => run))].filter((run) => mayStop(store, run))
}

/** A run that a person let continue or ended is not stopped again, and one that is held is stopped already. */
export function mayStop(store: Store, run: string): boolean {
  const stop = findStop(store, run)
  return stop === null || stop.state === 'restored'
}

/**
 * The processes of a live run that are not stopped now; `fast`: only those that are found from its own process. `now`: ms
 * UTC.
 */
export function processesOfRun(store: Store, id: string, now: number, fast = false): Proven {
  const run = findRun(store, id)
  if (process.platform !== 'linux' || run?.state !== 'live') return NONE
  try {
    const table = (fast ? readFamily(run.pid) : null) ?? readProcesses()
    return provenProcesses(table, proofOf(store, run, now), process.pid)
  } catch (error) {
    // A sandbox may hide parts of /proc.
    log.warn('the processes of a run could not be read', error)
    return NONE
  }
}

function proofOf(store: Store, run: RunRow, now: number): Proof {
  const root = { pid: run.pid, start: run.pid_start }
  const variable = `DRIFTLINE_RUN=${run.id}`
  if (run.source === 'command') return { kind: 'command', root, isMarked: (pid) => hasVariable(pid, variable) }
  const commands = callsOf(store, run.id)
    .filter(({ wholeFolder }) => wholeFolder === 1)
    .map(({ opened_at: since, closed_at: until }) => ({ since, until }))
  return { kind: 'agent', root, commands, startedAt: startTimes(now), isHook: isOwnHook }
}

/** Our own hooks (agents/connect): a shell with these variables, or the launcher of opencode's plugin. */
function isOwnHook(pid: number): boolean {
  const words = commandLine(pid)
  return words.includes('DRIFTLINE_HOOK_PARENT') || words.includes('\0hook\0')
}
