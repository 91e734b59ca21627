/** Freezing real processes, and their guard. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFreezer } from '../../../../src/main/engine/brake/frozen.ts'
import type { Proven } from '../../../../src/main/engine/brake/run-processes.ts'
import { readFamily, readProcess, readProcesses } from '../../../../src/main/engine/ports/process-table.ts'
import type { ProcessId } from '../../../../src/main/engine/ports/processes.ts'

/** A shell that prints a line, then counts in a child until it is killed. */
function family(script = 'sleep 1000 & sleep 1000 & echo ready; wait') {
  const shell = spawn('sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const pid = shell.pid as number
  const processes = (): ProcessId[] =>
    [...(readFamily(pid)?.values() ?? [])]
      .filter(({ state }) => state !== 'T')
      .map(({ pid, start }) => ({ pid, start }))
  return {
    shell,
    ready: () => once(shell.stdout, 'data'),
    processes,
    find: (): Proven => ({ processes: processes(), isStarting: false }),
    [Symbol.dispose]: () => void process.kill(-pid, 'SIGKILL')
  }
}

const stateOf = (pid: number): string => readProcess(pid)?.state ?? 'gone'
const guardOf = (own: readonly number[]): number | undefined =>
  [...readProcesses().values()].find(({ parent, pid }) => parent === process.pid && !own.includes(pid))?.pid
const exit = (child: ChildProcess) => once(child, 'exit')

test('[BR-4] processes are frozen, resumed unharmed, and frozen again', { tags: ['linux'] }, async () => {
  using tree = family()
  await tree.ready()
  const freezer = createFreezer()
  const all = tree.processes().map(({ pid }) => pid)
  for (let time = 0; time < 2; time++) {
    const frozen = freezer.freeze(tree.processes(), tree.find)
    await frozen.settled
    await expect.poll(() => frozen.pids()).toEqual(all)
    frozen.resume()
    await expect.poll(() => all.map(stateOf)).toEqual(all.map(() => 'S'))
    expect(frozen.pids()).toEqual([])
  }
  freezer.close()
})

test('[BR-4] what was found too late is frozen, too', { tags: ['linux'] }, async () => {
  using tree = family()
  await tree.ready()
  const freezer = createFreezer()
  const [first, ...others] = tree.processes()
  const frozen = freezer.freeze([first as ProcessId], tree.find)
  await frozen.settled
  await expect.poll(() => others.map(({ pid }) => stateOf(pid))).toEqual(others.map(() => 'T'))
  freezer.close()
  await expect.poll(() => others.map(({ pid }) => stateOf(pid))).toEqual(others.map(() => 'S'))
})

test('[BR-4] a process that got the number of another one is not touched', { tags: ['linux'] }, async () => {
  using tree = family()
  await tree.ready()
  const freezer = createFreezer()
  const frozen = freezer.freeze(
    tree.processes().map(({ pid, start }) => ({ pid, start: `${start}1` })),
    () => ({ processes: [], isStarting: false })
  )
  await frozen.settled
  expect(tree.processes()).toHaveLength(3)
  expect(frozen.pids()).toEqual([])
  freezer.close()
})

test('[BR-4] when the guard is killed, everything is resumed', { tags: ['linux'] }, async () => {
  using tree = family()
  await tree.ready()
  const before = [...readProcesses().keys()]
  const freezer = createFreezer()
  const frozen = freezer.freeze(tree.processes(), tree.find)
  await frozen.settled
  const guard = guardOf(before) as number
  process.kill(guard, 'SIGKILL')
  await expect.poll(() => tree.processes()).toHaveLength(3)
  expect(frozen.pids()).toEqual([])
  freezer.close()
})

test('[BR-4] the guard starts soon after the call that began a run, and not for a run that is over by then', {
  tags: ['linux']
}, () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const before = [...readProcesses().keys()]
  const freezer = createFreezer()
  freezer.keepReady(true)
  expect(guardOf(before)).toBeUndefined()
  freezer.keepReady(false)
  vi.runAllTimers()
  expect(guardOf(before)).toBeUndefined()
  freezer.keepReady(true)
  vi.runAllTimers()
  expect(guardOf(before)).toBeDefined()
  freezer.close()
})

test('[BR-4] ended processes die of the signal, frozen or not', { tags: ['linux'] }, async () => {
  using tree = family()
  await tree.ready()
  const freezer = createFreezer()
  const frozen = freezer.freeze(tree.processes(), tree.find)
  await frozen.settled
  const ended = exit(tree.shell)
  frozen.end()
  expect((await ended)[1]).toBe('SIGTERM')
  freezer.close()
})

test('[BR-6] ended processes that ignore the signal are killed before they continue', { tags: ['linux'] }, async () => {
  using tree = family("trap '' TERM; trap 'echo continued' CONT; echo ready; sleep 1000 & wait")
  await tree.ready()
  const freezer = createFreezer()
  const frozen = freezer.freeze(tree.processes(), tree.find)
  await frozen.settled
  let printed = ''
  tree.shell.stdout.on('data', (bytes) => (printed += bytes))
  const closed = once(tree.shell, 'close')
  frozen.end()
  expect(await closed).toEqual([null, 'SIGKILL'])
  expect(printed).toBe('')
  freezer.close()
})

test('[BR-4] of a process that was forked it is known whether it has started its program', {
  tags: ['linux']
}, async () => {
  const shell = spawn('sh', ['-c', 'exec 3<&0; (read line <&3) & sleep 1000 & echo ready; wait'], {
    detached: true,
    stdio: 'pipe'
  })
  const pid = shell.pid as number
  await once(shell.stdout, 'data')
  const children = () => [...(readFamily(pid)?.values() ?? [])].filter(({ parent }) => parent === pid)
  // The one that was only forked stays so; `sleep` starts in a moment.
  await expect.poll(() => children().map(({ isStarting }) => isStarting)).toEqual([true, false])
  process.kill(-pid, 'SIGKILL')
  await exit(shell)
})
