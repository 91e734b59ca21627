/**
 * [BR-4] Which processes provably belong to a run: those that `driftline run` started, and of an agent those that it
 * started while a command of that run was open. Nothing else is ever frozen. Pure.
 */

import type { ProcessRow, ProcessTable } from '../ports/process-table.ts'
import type { ProcessId } from '../ports/processes.ts'

/** What proves that a process belongs to a run. */
export type Proof =
  /** `root`: `driftline run` itself, which has to stay awake. `isMarked`: the process has the variable of the run. */
  | { readonly kind: 'command'; readonly root: ProcessId; isMarked(pid: number): boolean }
  /** `commands`: when its commands began and ended, ms UTC; null while open. `isHook`: a hook, which agents wait for. */
  | {
      readonly kind: 'agent'
      readonly root: ProcessId
      readonly commands: readonly { readonly since: number; readonly until: number | null }[]
      startedAt(row: ProcessRow): number
      isHook(pid: number): boolean
    }

/** Clocks of processes count in ticks of 10 ms. */
const SLACK_MS = 20

export interface Proven {
  /** Parents before their children, so that a parent that is frozen starts no more. */
  readonly processes: ProcessId[]
  /** The run is starting another one just now: find them once more. */
  readonly isStarting: boolean
}

/**
 * Without processes that are stopped already, whoever stopped them, and without `own` and what it started: the recorder
 * may run inside of the run. Without children of the root whose program has not started: the root may wait for that, so
 * that it would be frozen as well, and what they will be is not known: a hook, perhaps.
 */
export function provenProcesses(table: ProcessTable, proof: Proof, own: number): Proven {
  const children = Map.groupBy(table.values(), ({ parent }) => parent)
  const found = new Map<number, ProcessRow>()
  const add = (row: ProcessRow): void => {
    if (row.pid === own || found.has(row.pid)) return
    found.set(row.pid, row)
    for (const child of children.get(row.pid) ?? []) add(child)
  }
  const isRoot = proof.root.pid > 0 && table.get(proof.root.pid)?.start === proof.root.start
  const ofRoot = isRoot ? (children.get(proof.root.pid) ?? []) : []
  for (const child of ofRoot)
    if (!child.isStarting && (proof.kind === 'command' || isOfCommand(child, proof))) add(child)
  if (proof.kind === 'command') {
    // What left the family: a daemon belongs to the run still.
    const isOwn = familyOf(own, children)
    for (const row of table.values())
      if (row.pid !== proof.root.pid && !found.has(row.pid) && !isOwn.has(row.pid) && proof.isMarked(row.pid)) add(row)
  }
  const awake = [...found.values()].filter(({ state }) => !'TtZX'.includes(state))
  return {
    processes: awake.map(({ pid, start }) => ({ pid, start })),
    isStarting: ofRoot.some(({ isStarting }) => isStarting)
  }
}

function isOfCommand(row: ProcessRow, proof: Extract<Proof, { kind: 'agent' }>): boolean {
  const at = proof.startedAt(row)
  const isInTime = proof.commands.some(
    ({ since, until }) => at >= since - SLACK_MS && (until === null || at <= until + SLACK_MS)
  )
  return isInTime && !proof.isHook(row.pid)
}

function familyOf(pid: number, children: ReadonlyMap<number, readonly ProcessRow[]>): ReadonlySet<number> {
  const family = new Set([pid])
  for (const member of family) for (const child of children.get(member) ?? []) family.add(child.pid)
  return family
}
