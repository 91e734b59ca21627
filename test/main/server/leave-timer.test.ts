import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveTimer } from '../../../src/main/server/leave-timer.ts'

let left: number
beforeEach(() => {
  vi.useFakeTimers()
  left = 0
})
afterEach(() => void vi.useRealTimers())
const timer = () => leaveTimer(() => left++)

test('leaves a minute after its last browser, not sooner', () => {
  const leaving = timer()
  leaving.clients({ browsers: 2, callers: 0 })
  leaving.clients({ browsers: 1, callers: 0 })
  vi.advanceTimersByTime(120_000)
  expect(left).toBe(0)
  leaving.clients({ browsers: 0, callers: 0 })
  vi.advanceTimersByTime(59_999)
  expect(left).toBe(0)
  vi.advanceTimersByTime(1)
  expect(left).toBe(1)
})

test('a browser that comes back in time, by a reload for example, keeps it', () => {
  const leaving = timer()
  leaving.clients({ browsers: 1, callers: 0 })
  leaving.clients({ browsers: 0, callers: 0 })
  vi.advanceTimersByTime(30_000)
  leaving.clients({ browsers: 1, callers: 0 })
  vi.advanceTimersByTime(600_000)
  expect(left).toBe(0)
})

test('never leaves before a first browser, whoever else called', () => {
  const leaving = timer()
  leaving.clients({ browsers: 0, callers: 1 })
  leaving.clients({ browsers: 0, callers: 0 })
  vi.advanceTimersByTime(600_000)
  expect(left).toBe(0)
})

test('stays while a run or another caller of the socket is there', () => {
  const leaving = timer()
  leaving.clients({ browsers: 1, callers: 1 })
  leaving.clients({ browsers: 0, callers: 1 })
  vi.advanceTimersByTime(600_000)
  expect(left).toBe(0)
  leaving.clients({ browsers: 0, callers: 0 })
  vi.advanceTimersByTime(60_000)
  expect(left).toBe(1)
})
