/** [RC-2] The recorder ends when nobody has used it for the time that is set, and never before. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIdleTimer } from '../../../src/main/host/idle-timer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('[RC-2] it counts from the moment the last client left, with the time that is set then', () => {
  const onIdle = vi.fn()
  const idle = createIdleTimer(1000, onIdle)
  idle.update(0)
  vi.advanceTimersByTime(900)
  idle.update(1)
  vi.advanceTimersByTime(5000)
  idle.update(0)
  idle.update(0, 3000)
  vi.advanceTimersByTime(2900)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(onIdle).toHaveBeenCalledOnce()
})

test('a stopped one never ends anything', () => {
  const onIdle = vi.fn()
  const idle = createIdleTimer(1000, onIdle)
  idle.stop()
  idle.update(0)
  vi.advanceTimersByTime(5000)
  expect(onIdle).not.toHaveBeenCalled()
})
