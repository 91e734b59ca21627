/** Fingerprints of chunks: the function they promise to be, so that bytes which differ cannot pass for a known chunk. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createFingerprint } from '../../../../src/main/engine/store/fingerprint.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { createFingerprints } from '../../../../src/main/engine/store/known-chunks.ts'
import { MAX_CHUNK_SIZE } from '../../../../src/main/engine/store/split.ts'
import { SEED, scaled } from '../../../support/scale.ts'

const KEY = randomBytes(MAX_CHUNK_SIZE + 64)

/** NH as RFC 4418 (5.2.2) defines it, in one pass whose key begins at `from`. */
function nh(message: Buffer, from: number): bigint {
  const padded = Buffer.alloc(Math.max(32, Math.ceil(message.length / 32) * 32))
  message.copy(padded)
  const sum = (at: number): bigint => BigInt((padded.readUInt32LE(at) + KEY.readUInt32LE(from + at)) >>> 0)
  let total = 0n
  for (let at = 0; at < padded.length; at += 32)
    for (let word = at; word < at + 16; word += 4) total += sum(word) * sum(word + 16)
  return BigInt.asUintN(64, total)
}

/** The four sums of a fingerprint; each has two parts. */
function sumsOf(fingerprint: string): bigint[] {
  const bytes = Buffer.from(fingerprint.slice(fingerprint.indexOf(' ') + 1), 'latin1')
  return [0, 16, 32, 48].map((at) => BigInt.asUintN(64, bytes.readBigUInt64LE(at) + bytes.readBigUInt64LE(at + 8)))
}

const message = fc
  .oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 5000 }))
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  .map((bytes) => Buffer.from(bytes))

test('[ST-1] a fingerprint is four passes of NH, each with the key 16 bytes further, and the length', () => {
  const { of: fingerprint, memory } = createFingerprint(KEY)
  fc.assert(
    fc.property(message, (bytes) => {
      const found = fingerprint(bytes) as string
      expect(sumsOf(found)).toEqual([0, 16, 32, 48].map((from) => nh(bytes, from)))
      expect(Number.parseInt(found, 10)).toBe(bytes.length)
    }),
    { numRuns: scaled(20), seed: SEED }
  )
  // Where they are in its own memory, whatever follows them there, which stays.
  const inside = memory(10_000)
  fc.assert(
    fc.property(message, fc.nat(40), (bytes, at) => {
      inside.fill(0xa5).set(bytes, at)
      const before = Buffer.from(inside)
      expect(fingerprint(inside.subarray(at, at + bytes.length))).toBe(fingerprint(bytes))
      expect(inside.equals(before)).toBe(true)
    }),
    { numRuns: scaled(20), seed: SEED }
  )
  const largest = Buffer.alloc(MAX_CHUNK_SIZE, 0xff)
  expect(sumsOf(fingerprint(largest) as string)).toEqual([0, 16, 32, 48].map((from) => nh(largest, from)))
  expect(fingerprint(Buffer.alloc(MAX_CHUNK_SIZE + 1))).toBeNull()
})

test('[ST-1] a fingerprint differs where a bit or the length does, and under another key', () => {
  const { of: fingerprint } = createFingerprint()
  const { of: another } = createFingerprint()
  const place = fc.record({ at: fc.nat(1 << 20), bit: fc.nat(7) })
  fc.assert(
    fc.property(message, place, (bytes, { at, bit }) => {
      const flipped = Buffer.from(bytes.length === 0 ? [0] : bytes)
      flipped[at % flipped.length]! ^= 1 << bit
      expect(fingerprint(flipped)).not.toBe(fingerprint(bytes))
      expect(fingerprint(Buffer.concat([bytes, Buffer.alloc(1)]))).not.toBe(fingerprint(bytes))
      expect(another(bytes)).not.toBe(fingerprint(bytes))
      expect(fingerprint(Buffer.from(bytes))).toBe(fingerprint(bytes))
    }),
    { numRuns: scaled(20), seed: SEED }
  )
})

test.each([
  { where: 'with fingerprints', of: createFingerprint() },
  { where: 'where WebAssembly is switched off', of: { of: () => null, memory: Buffer.alloc, shared: null } }
])('[ST-1] bytes are those of a chunk only if they are the same, $where', ({ of }) => {
  const { isChunk, remember } = createFingerprints(of)
  const [bytes, other] = [randomBytes(1000), randomBytes(1000)]
  for (let time = 0; time < 2; time++) {
    expect(isChunk(other, sha256(bytes))).toBe(false)
    expect(isChunk(Buffer.from(bytes), sha256(bytes))).toBe(true)
  }
  remember(sha256(other), other)
  expect(isChunk(bytes, sha256(other))).toBe(false)
  expect(isChunk(other, sha256(other))).toBe(true)
})

test('[ST-1] where the module of the fingerprints cannot run, there are none, and recording continues', () => {
  const { Memory, Instance } = WebAssembly
  const Module = class {
    constructor() {
      throw new Error('Wasm SIMD unsupported')
    }
  }
  try {
    vi.stubGlobal('WebAssembly', { Memory, Instance, Module })
    expect(createFingerprint().of(randomBytes(10))).toBeNull()
  } finally {
    vi.unstubAllGlobals()
  }
})
