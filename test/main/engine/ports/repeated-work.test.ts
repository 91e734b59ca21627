import { expect, test } from 'vitest'
import { createRepeatedWork } from '../../../../src/main/engine/ports/repeated-work.ts'

const fail = (error: unknown): never => {
  throw error
}

test('a request is served whenever it comes: before, during and right after another run', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    let requested = 0
    let served = 0
    const work = createRepeatedWork(async () => {
      served = requested
      await null
      await null
    }, fail)
    const request = (): Promise<void> => {
      requested++
      return work.request()
    }
    void request()
    for (let tick = 0; tick < ticks; tick++) await null
    await request()
    expect(served, `after ${ticks} ticks`).toBe(2)
  }
})

test('requests of one moment are one run, and never two at once', async () => {
  let runs = 0
  let atOnce = 0
  const work = createRepeatedWork(async () => {
    runs++
    expect(++atOnce).toBe(1)
    await null
    atOnce--
  }, fail)
  await Promise.all([work.request(), work.request(), work.request()])
  expect(runs).toBe(1)
})

test('a failure is reported, and what was requested meanwhile runs', async () => {
  const errors: unknown[] = []
  let runs = 0
  const work = createRepeatedWork(
    async () => {
      if (++runs > 1) return
      void work.request()
      throw new Error('once')
    },
    (error) => errors.push(error)
  )
  await work.request()
  expect([runs, errors]).toEqual([2, [new Error('once')]])
})

test('closed, it ends what runs and starts nothing', async () => {
  let runs = 0
  const work = createRepeatedWork(async ({ isClosed }) => {
    runs++
    while (!isClosed()) await new Promise((resolve) => setImmediate(resolve))
  }, fail)
  const running = work.request()
  void work.request()
  await null
  await work.close()
  await running
  await work.request()
  expect(runs).toBe(1)
})
