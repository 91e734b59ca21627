import { expect, test } from 'vitest'
import { frameId, OpenCalls } from '../../../src/main/host/open-calls.ts'

test('the id is read from the start of a frame, and from frames with another key order', () => {
  expect(frameId('{"id":17,"method":"app.info","params":{}}')).toBe(17)
  expect(frameId(`{"id":18,"result":"${'x'.repeat(100)}"}`)).toBe(18)
  expect(frameId('{"method":"app.info","params":{"id":3},"id":19}')).toBe(19)
})

test('events and invalid frames have no id', () => {
  expect(frameId('{"event":"run.ended","payload":{"id":4}}')).toBeNull()
  for (const text of ['', 'null', '[]', '{"id":"x"}', '{"id":']) expect(frameId(text)).toBeNull()
})

test('unanswered ids are returned once', () => {
  const calls = new OpenCalls()
  for (const id of [1, 2, 3]) calls.started(JSON.stringify({ id, method: 'm', params: {} }))
  calls.answered(JSON.stringify({ id: 2, result: {} }))
  expect(calls.takeAll()).toEqual([1, 3])
  expect(calls.takeAll()).toEqual([])
})
