/** Who is alive: a process, and a task of one. */
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { beginTask, isAlive, ownProcess, type ProcessId } from '../../../../src/main/engine/ports/processes.ts'

const PROCESSES = new URL('../../../../src/main/engine/ports/processes.ts', import.meta.url).href

test('a task is alive until it ends, and no longer than its process', () => {
  const task = beginTask()
  const { owner } = task
  expect(isAlive(owner)).toBe(true)
  task[Symbol.dispose]()
  expect([isAlive(owner), isAlive(ownProcess())]).toEqual([false, true])
  expect(isAlive({ ...owner, pid: 2 ** 22 + 1 })).toBe(false)
})

test('[RC-2] a task of an earlier recorder is over, although its pid is in use again', () => {
  // Windows and macOS know no start of a process.
  for (const start of ['', ownProcess().start])
    for (const pid of [process.pid, process.ppid]) expect(isAlive({ pid, start: `${start}@task` })).toBe(false)
})

test('a task of a thread that crashed is over, although its process lives on', async () => {
  const code = `import(${JSON.stringify(PROCESSES)}).then(({ beginTask }) => {
    require('node:worker_threads').parentPort.postMessage(beginTask().owner)
    throw new Error('crash')
  })`
  const worker = new Worker(code, { eval: true })
  const crashed = new Promise<void>((resolve) => worker.once('error', () => resolve()))
  const owner = await new Promise<ProcessId>((resolve) => worker.once('message', resolve))
  await crashed
  expect(owner.pid).toBe(process.pid)
  expect(isAlive(owner)).toBe(false)
})
