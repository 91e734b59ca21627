/** [GW-1] What a hook reads has a bound, whatever an agent writes, and stays the event that it was. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HookInput } from '../../../src/main/cli/hook-input.ts'
import { isTruncated } from '../../../src/main/engine/agents/truncate-texts.ts'

function read(bytes: Buffer, pieces: number, input = new HookInput()): { input: HookInput; isEvent: boolean } {
  let isEvent = true
  for (let at = 0; at < bytes.length && isEvent; at += pieces) isEvent = input.add(bytes.subarray(at, at + pieces))
  return { input, isEvent }
}

/** Reads a text of `kept` bytes at either end and many more between them; expects it and what is around it. */
function expectBothEnds(filler: string, kept: number, pieces: number, input: HookInput): void {
  const text = `start ${filler.repeat((kept * 4) / filler.length)} end`
  const { isEvent } = read(Buffer.from(JSON.stringify({ a: 1, text, z: 'last' })), pieces, input)
  const bytes = input.bytes()
  expect(isEvent && bytes.length < kept * 3).toBe(true)
  const event = JSON.parse(bytes.toString()) as { a: number; text: string; z: string }
  expect([event.a, event.z, event.text.slice(0, 6), event.text.slice(-4)]).toEqual([1, 'last', 'start ', ' end'])
}

test('an event of usual size is read byte for byte, in pieces of any length, and ends with its object', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 40 }), (json, pieces) => {
      const event = `{ "value": ${json} }`
      const { input } = read(Buffer.from(event), pieces)
      expect([input.bytes().toString(), input.isComplete]).toEqual([event, true])
      const cut = read(Buffer.from(event.slice(0, -1)), pieces)
      expect([cut.isEvent, cut.input.isComplete]).toEqual([true, false])
    })
  )
})

test.each(['{} {}', '{},', '{}"a"', 'event', '"a"', '1', '}', '\ufeff{}'])('%j is no event', (text) => {
  for (const pieces of [1, 100]) {
    const { input, isEvent } = read(Buffer.from(text), pieces)
    expect([isEvent, input.isComplete, input.bytes().length]).toEqual([false, false, 0])
  }
})

test('[GW-1] of a very long text the start and the end are kept, wherever an escape sequence is cut', () => {
  for (const filler of ['x', '\\', '"', 'é', '\n"\\'])
    for (const kept of [60_001, 60_002, 60_003]) expectBothEnds(filler, kept, 6521, new HookInput(kept, 6_000_000))
})

test('[GW-1] 4 MB are kept at either end of a text, and all texts have 16 MB together', () => {
  expectBothEnds('x', 4_200_000, 65_521, new HookInput())
  const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(9_000_000))
  const { input } = read(Buffer.from(JSON.stringify({ texts })), 65_521)
  const kept = JSON.parse(input.bytes().toString()) as { texts: string[] }
  const sizes = kept.texts.map(({ length }) => Math.round(length / 1024 / 102.4) / 10)
  expect(sizes).toEqual([8, 4, 2, 1, 0.5])
  expect(kept.texts.every((text) => isTruncated(text))).toBe(true)
})

test('a text of up to 8 MB is read as it is', () => {
  const event = JSON.stringify(['x'.repeat(8 * 1024 * 1024)])
  expect(read(Buffer.from(event), 65_521).input.bytes().equals(Buffer.from(event))).toBe(true)
})

test('[GW-1] what never becomes an event ends at the bound', () => {
  const chunk = Buffer.from('[ "a" , '.repeat(1000))
  const input = new HookInput(1000, 1_000_000)
  let chunks = 0
  while (input.add(chunk)) chunks++
  expect(chunks * chunk.length).toBe(1_000_000)
})

test('[GW-1] the bound of an event is 64 MB', () => {
  const input = new HookInput()
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  let chunks = 0
  while (input.add(chunk)) chunks++
  expect(chunks).toBe(64)
})
