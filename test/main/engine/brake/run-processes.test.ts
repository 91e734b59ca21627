/** [BR-4] Which processes belong to a run. */
import { describe, expect, test } from 'vitest'
import { type Proof, provenProcesses } from '../../../../src/main/engine/brake/run-processes.ts'
import type { ProcessRow } from '../../../../src/main/engine/ports/process-table.ts'

/** `pid parent start state`; starts are ms here. A state of `F` is a process that was only forked. */
function table(...rows: readonly (readonly [pid: number, parent: number, start?: number, state?: string])[]) {
  return new Map<number, ProcessRow>(
    rows.map(([pid, parent, start = 0, state = 'S']) => [
      pid,
      { pid, parent, start: String(start), state: state === 'F' ? 'S' : state, isStarting: state === 'F' }
    ])
  )
}
const pids = (processes: ReturnType<typeof table>, proof: Proof, own = 99) =>
  provenProcesses(processes, proof, own).processes.map(({ pid }) => pid)

describe('of `driftline run`', () => {
  const proof = (marked: readonly number[] = [], start = '5'): Proof => ({
    kind: 'command',
    root: { pid: 10, start },
    isMarked: (pid) => marked.includes(pid)
  })
  const family = table([10, 2, 5], [11, 10], [12, 11], [13, 12], [20, 2], [21, 20])

  test('[BR-4] all that it started, parents first, but not itself nor others', () => {
    expect(pids(family, proof())).toEqual([11, 12, 13])
  })

  test('[BR-4] nothing once another process has its number', () => {
    expect(pids(family, proof([], '6'))).toEqual([])
  })

  test('[BR-4] a daemon that left the family, by the variable of the run, and what it started', () => {
    expect(pids(table([10, 2, 5], [11, 10], [30, 1], [31, 30]), proof([30]))).toEqual([11, 30, 31])
  })

  test('[BR-4] never the recorder that a command of the run started, nor what the recorder started', () => {
    const withRecorder = table([10, 2, 5], [11, 10], [40, 11], [41, 40], [42, 1])
    expect(pids(withRecorder, proof([40, 41, 42]), 40)).toEqual([11, 42])
  })

  test('[BR-4] nothing that is stopped already, traced or dead: it would be resumed against its owner’s will', () => {
    const stopped = table([10, 2, 5], [11, 10, 0, 'T'], [12, 10, 0, 't'], [13, 10, 0, 'Z'], [14, 11])
    expect(pids(stopped, proof())).toEqual([14])
  })
})

describe('of an agent', () => {
  const proof: Proof = {
    kind: 'agent',
    root: { pid: 10, start: '5' },
    commands: [
      { since: 1000, until: 2000 },
      { since: 5000, until: null }
    ],
    startedAt: ({ start }) => Number(start),
    isHook: (pid) => pid === 19
  }

  test('[BR-4] only what it started while a command of the run was open, and what that started', () => {
    const agent = table([10, 2, 5], [11, 10, 900], [12, 10, 1500], [13, 10, 3000], [14, 10, 6000], [15, 14, 6001])
    expect(pids(agent, proof)).toEqual([12, 14, 15])
  })

  test('[BR-4] no server that it had started before, whatever that starts now, and no hook, which it waits for', () => {
    expect(pids(table([10, 2, 5], [11, 10, 100], [18, 11, 6000], [19, 10, 6000], [20, 19, 6000]), proof)).toEqual([])
  })

  test('[BR-4] no child that has not started its program: the agent waits for that, and it may become a hook', () => {
    const agent = table([10, 2, 5], [14, 10, 6000], [15, 14, 6001, 'F'], [16, 10, 6002, 'F'])
    expect(pids(agent, proof)).toEqual([14, 15])
    expect(provenProcesses(agent, proof, 99).isStarting).toBe(true)
    expect(provenProcesses(table([10, 2, 5], [14, 10, 6000]), proof, 99).isStarting).toBe(false)
  })

  test('[BR-4] nothing where the process of the agent is not known', () => {
    expect(pids(table([0, 0], [12, 0, 1500]), { ...proof, root: { pid: 0, start: '' } })).toEqual([])
  })
})
