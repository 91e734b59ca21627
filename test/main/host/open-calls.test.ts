import { expect, test } from 'vitest'
import { frameId, OpenCalls } from '../../../src/main/host/open-calls.ts'

test('an id is read off the head of a frame, and also from frames written in another order', () => {
  expect(frameId('{"id":17,"method":"app.info","params":{}}')).toBe(17)
  expect(frameId(`{"id":18,"result":"${'x'.repeat(100)}"}`)).toBe(18)
  expect(frameId('{"method":"app.info","params":{"id":3},"id":19}')).toBe(19)
})

test('events and nonsense carry none', () => {
  expect(frameId('{"event":"run.ended","payload":{"id":4}}')).toBeNull()
  for (const text of ['', 'null', '[]', '{"id":"x"}', '{"id":']) expect(frameId(text)).toBeNull()
})

test('what was asked and not answered is given out once', () => {
  const calls = new OpenCalls()
  for (const id of [1, 2, 3]) calls.asked(JSON.stringify({ id, method: 'm', params: {} }))
  calls.answered(JSON.stringify({ id: 2, result: {} }))
  expect(calls.takeAll()).toEqual([1, 3])
  expect(calls.takeAll()).toEqual([])
})
