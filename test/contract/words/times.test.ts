import { expect, test } from 'vitest'
import { formatTime } from '../../../src/contract/words/times.ts'

test('times are relative to the local day', () => {
  const now = new Date(2026, 10, 20, 0, 30).getTime()
  expect(formatTime(new Date(2026, 10, 20, 0, 5).getTime(), now)).toBe('today 00:05')
  expect(formatTime(new Date(2026, 10, 19, 23, 59).getTime(), now)).toBe('yesterday 23:59')
  expect(formatTime(new Date(2026, 10, 17, 9, 0).getTime(), now)).toBe('3 days ago 09:00')
  expect(formatTime(new Date(2026, 9, 2, 9, 0).getTime(), now)).toBe('2 Oct 09:00')
  expect(formatTime(new Date(2025, 9, 2).getTime(), now)).toBe('2025-10-02')
})
