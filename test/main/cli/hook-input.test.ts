/** [GW-1] What a hook reads has a bound, whatever an agent writes, and stays the event that it was. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HookInput } from '../../../src/main/cli/hook-input.ts'

function read(bytes: Buffer, pieces: number): { input: HookInput; isEvent: boolean } {
  const input = new HookInput()
  let isEvent = true
  for (let at = 0; at < bytes.length && isEvent; at += pieces) isEvent = input.add(bytes.subarray(at, at + pieces))
  return { input, isEvent }
}

test('an event of usual size is read byte for byte, in pieces of any length', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 40 }), (json, pieces) => {
      expect(read(Buffer.from(json), pieces).input.bytes().toString()).toBe(json)
    })
  )
})

test('[GW-1] of a very long text the start and the end are kept, wherever an escape sequence is cut', () => {
  for (const filler of ['x', '\\', '"', 'é', '\n"\\']) {
    const text = `start ${filler.repeat(40_000_000 / filler.length)} end`
    const { input, isEvent } = read(Buffer.from(JSON.stringify({ a: 1, text, z: 'last' })), 65_521)
    const bytes = input.bytes()
    expect(isEvent && bytes.length < 20_000_000).toBe(true)
    const event = JSON.parse(bytes.toString()) as { a: number; text: string; z: string }
    expect([event.a, event.z, event.text.slice(0, 6), event.text.slice(-4)]).toEqual([1, 'last', 'start ', ' end'])
  }
})

test('[GW-1] what never becomes an event ends at the bound', () => {
  const chunk = Buffer.from('{"a":1},'.repeat(100_000))
  const input = new HookInput()
  let chunks = 0
  while (input.add(chunk)) chunks++
  expect(chunks * chunk.length).toBeLessThan(70_000_000)
})
