/** The animation in the README: an animated PNG that keeps every byte of its pictures, and is not too large. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { animatedPng, chunksOf } from '../../scripts/apng.mjs'

const MOST_BYTES = 1_500_000

/** A grey picture of one pixel; `width` only says another size. */
function picture(grey: number, width = 1): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const out = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
    out.writeUInt32BE(data.length, 0)
    out.writeUInt32BE(crc32(out.subarray(4, -4)), out.length - 4)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(1, 4)
  header.set([8, 0], 8)
  const data = deflateSync(Buffer.from([0, grey]))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

test('pictures become frames in their order, each with its time and its own bytes', () => {
  const chunks = chunksOf(
    animatedPng([
      { png: picture(10), ms: 500 },
      { png: picture(200), ms: 1500 }
    ])
  )
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'])
  const [, , first, shown, second, frame] = chunks.map(({ data }) => data)
  expect([first!.readUInt16BE(20), second!.readUInt16BE(20)]).toEqual([500, 1500])
  expect(
    [first!, second!, frame!].map((data) => data.readUInt32BE(0)),
    'numbered without a gap'
  ).toEqual([0, 1, 2])
  expect(shown!.equals(deflateSync(Buffer.from([0, 10])))).toBe(true)
  expect(frame!.subarray(4).equals(deflateSync(Buffer.from([0, 200])))).toBe(true)
})

test('pictures of different sizes are refused', () => {
  const frames = [picture(1), picture(1, 2)].map((png) => ({ png, ms: 1 }))
  expect(() => animatedPng(frames)).toThrow('same size')
})

test('the README starts with an animation of run, review and undo, of at most 1.5 MB', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
  const [, path = ''] = /!\[[^\]]{20,}\]\((docs\/img\/[^)]+)\)/.exec(readme) ?? []
  const file = readFileSync(resolve(import.meta.dirname, '../..', path))
  expect(file.length).toBeLessThan(MOST_BYTES)
  expect(chunksOf(file).filter(({ type }) => type === 'fcTL').length).toBeGreaterThan(4)
})
