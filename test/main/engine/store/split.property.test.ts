/** Chunks of large content: the same wherever reads end, of bounded size, and the same again behind an edit. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { createSplitter, MAX_CHUNK_SIZE } from '../../../../src/main/engine/store/split.ts'
import { SEED, scaled } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** Bytes without a pattern, always the same for a seed: xorshift32. */
function noise(seed: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let x = seed | 1
  for (let i = 0; i < length; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    bytes[i] = x
  }
  return bytes
}

/** The chunks of `bytes`, given in parts of these sizes in turn. */
function split(bytes: Buffer, parts: readonly number[]): Buffer[] {
  const splitter = createSplitter()
  const chunks: Buffer[] = []
  for (let [at, n] = [0, 0]; at < bytes.length; n++) {
    const size = parts[n % parts.length] as number
    for (const chunk of splitter.push(bytes.subarray(at, at + size))) chunks.push(Buffer.from(chunk))
    at += size
  }
  return [...chunks, ...splitter.end().map((chunk) => Buffer.from(chunk))]
}

/** Random bytes, and runs of one byte or a short pattern, as images of disks and databases have. */
const content = fc
  .array(
    fc.record({
      seed: fc.integer({ min: 1, max: 9 }),
      length: fc.integer({ min: 0, max: 400_000 }),
      pattern: fc.integer({ min: 0, max: 3 })
    }),
    { minLength: 1, maxLength: 6 }
  )
  .map((spans) =>
    Buffer.concat(
      spans.map(({ seed, length, pattern }) =>
        pattern === 0 ? noise(seed, length) : Buffer.alloc(length, noise(seed, pattern))
      )
    )
  )
const parts = fc.array(fc.integer({ min: 1000, max: 1_100_000 }), { minLength: 1, maxLength: 4 })

test('[ST-1] the chunks of a content make it up, are of bounded size, and do not depend on how it is read', () => {
  fc.assert(
    fc.property(content, parts, (bytes, sizes) => {
      const chunks = split(bytes, sizes)
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
      expect(chunks.every(({ length }) => length > 0 && length <= MAX_CHUNK_SIZE)).toBe(true)
      const atOnce = split(bytes, [Math.max(1, bytes.length)])
      expect(chunks.map(({ length }) => length)).toEqual(atOnce.map(({ length }) => length))
    }),
    { numRuns: scaled(12), seed: SEED }
  )
})

test('[ST-1] an edit of a large content changes few of its chunks', () => {
  const before = noise(7, 4_000_000)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: before.length }), fc.integer({ min: 0, max: 300 }), (at, length) => {
      const after = Buffer.concat([before.subarray(0, at), noise(11, length), before.subarray(at)])
      const known = new Set(split(before, [before.length]).map((chunk) => chunk.toString('latin1')))
      const added = split(after, [after.length]).filter((chunk) => !known.has(chunk.toString('latin1')))
      // The chunk of the edit; and the next, where the edit moved or removed the boundary between them.
      expect(added.length).toBeLessThanOrEqual(3)
    }),
    { numRuns: scaled(5), seed: SEED }
  )
})

interface Edit {
  readonly at: number
  readonly removed: number
  readonly added: number
}

const edits = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 2_500_000 }),
    removed: fc.integer({ min: 0, max: 100_000 }),
    added: fc.integer({ min: 0, max: 100_000 })
  }),
  { maxLength: 3 }
)
const edited = (bytes: Buffer, all: readonly Edit[]): Buffer =>
  all.reduce(
    (was, { at, removed, added }, n) =>
      Buffer.concat([was.subarray(0, at), noise(n + 21, added), was.subarray(at + removed)]),
    bytes
  )

test('[ST-1] the chunks of a version do not depend on those of the version before, also where it is read twice', () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  const write = (bytes: Buffer, sizes: readonly number[], previous: number | null, first?: Buffer): number => {
    const writer = store.content.createLargeWriter(previous)
    if (first) writer.add(first)
    if (first) writer.restart()
    for (let [at, n] = [0, 0]; at < bytes.length; n++) {
      const size = sizes[n % sizes.length] as number
      writer.add(bytes.subarray(at, at + size))
      at += size
    }
    return writer.finish().id
  }
  // Half of it can be compressed, so that sizes come from the headers of frames, too.
  const base = Buffer.concat([noise(3, 1_300_000), Buffer.from('a line of text\n'.repeat(80_000))])
  const previous = write(base, [1 << 20], null)
  fc.assert(
    fc.property(edits, edits, parts, (now, interrupted, sizes) => {
      const bytes = edited(base, now)
      const id = write(bytes, sizes, previous, edited(base, interrupted))
      const stored = store.db
        .prepare('SELECT k.hash FROM content_chunk u JOIN chunk k ON k.id = u.chunk WHERE u.content = ? ORDER BY u.n')
        .pluck()
        .all(id) as Buffer[]
      const expected = split(bytes, [Math.max(1, bytes.length)]).map((chunk) => sha256(chunk).toString('hex'))
      expect(stored.map((hash) => hash.toString('hex'))).toEqual(expected)
      expect(store.content.get(id, bytes.length).equals(bytes)).toBe(true)
    }),
    { numRuns: scaled(5), seed: SEED }
  )
  store.close()
})
