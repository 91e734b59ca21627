/** [ST-1] The name of content does not depend on the implementation that computes it. */
import { createHash } from 'node:crypto'
import { sha256 as inJavaScript } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { hashLightly, sha256 } from '../../../../src/main/engine/store/hash.ts'

afterEach(() => hashLightly(inJavaScript, 0))

function ofNode(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test('any content has the same hash in a hook as in a host', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      hashLightly(inJavaScript, 300)
      expect(sha256(bytes).toString('hex')).toBe(ofNode(bytes))
    })
  )
})

test('hashes are equal before and after the switch to node:crypto, at any length', () => {
  const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 4095, 4096, 4097, 8192, 8193]
  for (const first of lengths) {
    hashLightly(inJavaScript, 4096)
    for (const length of [first, 64, ...lengths]) {
      const bytes = Buffer.alloc(length, length % 251)
      expect(sha256(bytes).toString('hex'), `${length} bytes after ${first}`).toBe(ofNode(bytes))
    }
  }
})
