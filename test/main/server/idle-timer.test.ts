import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startIdleTimer } from '../../../src/main/server/run-server.ts'

let left: number
beforeEach(() => {
  vi.useFakeTimers()
  left = 0
})
afterEach(() => void vi.useRealTimers())
const timer = () => startIdleTimer(() => left++)

test('exits a minute after its last browser, not sooner', () => {
  const leaving = timer()
  leaving.update({ browsers: 2, socketClients: 0 })
  leaving.update({ browsers: 1, socketClients: 0 })
  vi.advanceTimersByTime(120_000)
  expect(left).toBe(0)
  leaving.update({ browsers: 0, socketClients: 0 })
  vi.advanceTimersByTime(59_999)
  expect(left).toBe(0)
  vi.advanceTimersByTime(1)
  expect(left).toBe(1)
})

test('a browser that reconnects in time, such as after a reload, keeps it running', () => {
  const leaving = timer()
  leaving.update({ browsers: 1, socketClients: 0 })
  leaving.update({ browsers: 0, socketClients: 0 })
  vi.advanceTimersByTime(30_000)
  leaving.update({ browsers: 1, socketClients: 0 })
  vi.advanceTimersByTime(600_000)
  expect(left).toBe(0)
})

test('never exits before a first browser, despite other clients', () => {
  const leaving = timer()
  leaving.update({ browsers: 0, socketClients: 1 })
  leaving.update({ browsers: 0, socketClients: 0 })
  vi.advanceTimersByTime(600_000)
  expect(left).toBe(0)
})

test('keeps running while a run or another client of the socket is connected', () => {
  const leaving = timer()
  leaving.update({ browsers: 1, socketClients: 1 })
  leaving.update({ browsers: 0, socketClients: 1 })
  vi.advanceTimersByTime(600_000)
  expect(left).toBe(0)
  leaving.update({ browsers: 0, socketClients: 0 })
  vi.advanceTimersByTime(60_000)
  expect(left).toBe(1)
})
