import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DELTA,
  type Packed,
  pack,
  packDelta,
  RAW,
  SPLICE,
  unpack,
  ZSTD
} from '../../../../src/main/engine/store/codec.ts'
import { compressBound, packFrame } from '../../../../src/main/engine/store/zstd.ts'
import { scaled } from '../../../support/scale.ts'

const text = (length: number): Buffer =>
  Buffer.from('const value = read(path) // and again\n'.repeat(length)).subarray(0, length)

test('[ST-1] content of every size and kind is unpacked byte for byte, in any order', () => {
  const sizes = [0, 1, 63, 64, 65, 1000, 65_536, 70_000, 1 << 20, 3_000_000, 10]
  for (const bytes of sizes.flatMap((size) => [text(size), randomBytes(size), Buffer.alloc(size)])) {
    const packed = pack(bytes)
    expect(unpack(packed.codec, packed.bytes, bytes.length).equals(bytes)).toBe(true)
    expect(packed.bytes.length).toBeLessThanOrEqual(bytes.length)
  }
})

test('[ST-1] a delta of every size is unpacked byte for byte, and only against its own dictionary', () => {
  for (const size of [64, 1000, 65_536, 70_000, 1_000_000]) {
    const [dictionary, bytes] = [text(size), Buffer.concat([text(size / 2), randomBytes(150), text(size / 2)])]
    const { codec, bytes: delta } = packDelta(bytes, dictionary) as Packed
    expect(codec).toBe(DELTA)
    expect(unpack(codec, delta, bytes.length, dictionary).equals(bytes)).toBe(true)
    const other = randomBytes(size)
    const wrong = (() => {
      try {
        return unpack(codec, delta, bytes.length, other)
      } catch {
        return null
      }
    })()
    expect(wrong?.equals(bytes)).not.toBe(true)
  }
})

test('[ST-1] a version that differs in one place takes little more than what is new there', () => {
  const old = text(300_000)
  const bytes = Buffer.concat([old.subarray(0, 200_000), Buffer.from('a new line\n'), old.subarray(200_020)])
  expect(packDelta(bytes, old)).toMatchObject({ codec: SPLICE, bytes: { length: 3 + 11 } })
})

const small = fc.uint8Array({ maxLength: 200 })
test('[ST-1] whatever was inserted, removed or replaced, a version is unpacked byte for byte from the one before', () => {
  const edit = fc.tuple(small, small, small, small, fc.nat(40_000))
  const property = fc.property(edit, ([before, old, now, after, filled]) => {
    // Runs of one byte: what both begin and end with overlaps.
    const fill = Buffer.alloc(filled, before[0] ?? 0)
    const [was, is] = [old, now].map((part) => Buffer.concat([fill, before, part, after])) as [Buffer, Buffer]
    const packed = packDelta(is, was) as Packed
    expect(unpack(packed.codec, packed.bytes, is.length, was).equals(is)).toBe(true)
  })
  fc.assert(property, { numRuns: scaled(30) })
})

test('[ST-1] a damaged splice never takes more bytes than the version has', () => {
  const damage = fc.tuple(fc.uint8Array({ maxLength: 12 }), fc.nat(300), fc.uint8Array({ maxLength: 300 }))
  const property = fc.property(damage, ([splice, size, base]) => {
    try {
      expect(unpack(SPLICE, splice, size, base)).toHaveLength(size)
    } catch (error) {
      expect(error).toMatchObject({ code: 'StoreDamaged' })
    }
  })
  fc.assert(property, { numRuns: scaled(100) })
})

test('[ST-1] a damaged delta is refused and leaves the next one as it is', () => {
  const [dictionary, bytes] = [text(200_000), Buffer.concat([text(90_000), randomBytes(300), text(90_000)])]
  const { codec, bytes: delta } = packDelta(bytes, dictionary) as Packed
  for (let at = 0; at < delta.length; at += 11) {
    const damaged = Buffer.from(delta)
    damaged[at]! ^= 0x41
    const read = ((): Buffer | null => {
      try {
        return unpack(codec, damaged, bytes.length, dictionary)
      } catch {
        return null
      }
    })()
    if (read) expect(read.length).toBe(bytes.length)
    expect(unpack(codec, delta, bytes.length, dictionary).equals(bytes)).toBe(true)
  }
})

test('[ST-1] a frame that is damaged, cut off or larger than recorded is refused and leaves the next one as it is', () => {
  const bytes = Buffer.concat([text(3000), randomBytes(100)])
  const frame = Buffer.from(pack(bytes).bytes)
  const damaged = Buffer.from(frame).fill(0xee, 8, 40)
  for (const wrong of [damaged, Buffer.alloc(40, 0xee)]) {
    expect(() => unpack(ZSTD, wrong, bytes.length)).toThrow()
    expect(unpack(ZSTD, frame, bytes.length).equals(bytes)).toBe(true)
  }
  for (let length = 0; length < frame.length - 4; length += 7) {
    const read = ((): Buffer | null => {
      try {
        return unpack(ZSTD, frame.subarray(0, length), bytes.length)
      } catch {
        return null
      }
    })()
    expect(read?.equals(bytes)).not.toBe(true)
    expect(unpack(ZSTD, frame, bytes.length).equals(bytes)).toBe(true)
  }
  expect(() => unpack(ZSTD, frame, bytes.length - 1)).toThrow()
  expect(unpack(ZSTD, frame, bytes.length + 9).equals(bytes)).toBe(true)
})

test('packing the next content does not change bytes that were packed before', () => {
  const first = pack(text(5000))
  const copy = Buffer.from(first.bytes)
  pack(randomBytes(5000))
  pack(text(9000))
  expect(first.codec).toBe(ZSTD)
  expect(copy.equals(first.bytes)).toBe(true)
})

test('bytes that do not compress are stored as they are', () => {
  expect(pack(randomBytes(4000)).codec).toBe(RAW)
})

test('a frame never exceeds compressBound, whatever the bytes are', () => {
  for (const bytes of [randomBytes(1), randomBytes(300), randomBytes(200_000), text(1), Buffer.alloc(100_000)]) {
    const target = Buffer.alloc(compressBound(bytes.length))
    const length = packFrame(bytes, target, 0)
    expect(zstdDecompressSync(target.subarray(0, length)).equals(bytes)).toBe(true)
  }
})
