/** The hash of a version that is computed from the one before: the same as from scratch, whatever changed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createContentDigest } from '../../../../src/main/engine/store/content-digest.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { SEED, scaled } from '../../../support/scale.ts'

/** Few different chunks, so that versions begin alike, repeat chunks, and come back; some are added at once. */
const chunk = fc.constantFrom('', 'a', 'b', 'ab', 'c'.repeat(100)).map((text) => Buffer.from(text))
const version = fc.array(fc.array(chunk, { maxLength: 3 }), { maxLength: 5 })

test('[ST-1] the hash of a version is that of its bytes, whichever version is given as the one before it', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ version, before: fc.nat(8) }), { maxLength: 8 }), (versions) => {
      const hashes: Buffer[] = [sha256(Buffer.from('never recorded'))]
      for (const { version, before } of versions) {
        const digest = createContentDigest(hashes[before % hashes.length] as Buffer)
        for (const chunks of version) digest.add(chunks.map(sha256), chunks)
        const expected = sha256(Buffer.concat(version.flat()))
        expect(digest.finish()).toEqual(expected)
        hashes.push(expected)
      }
    }),
    { numRuns: scaled(50), seed: SEED }
  )
})

test('[ST-1] the hash of a content without one before it, and of one that has more parts than are remembered', () => {
  const chunks = Array.from({ length: 1500 }, (_, n) => Buffer.from(`chunk ${n}`))
  const hashWith = (previous: Buffer | null, parts: readonly Buffer[]): Buffer => {
    const digest = createContentDigest(previous)
    for (const bytes of parts) digest.add([sha256(bytes)], [bytes])
    return digest.finish()
  }
  const first = hashWith(null, chunks)
  expect(first).toEqual(sha256(Buffer.concat(chunks)))
  for (const at of [0, 1023, 1024]) {
    const edited = chunks.with(at, Buffer.from('edited'))
    const second = hashWith(first, edited)
    expect(second).toEqual(sha256(Buffer.concat(edited)))
    expect(hashWith(second, chunks)).toEqual(first)
    expect(hashWith(second, edited.slice(0, at))).toEqual(sha256(Buffer.concat(edited.slice(0, at))))
  }
})
