/** Matchers compare buffers at once: they would list every index of both, which takes a second for two megabytes. */
import { expect } from 'vitest'

declare global {
  /** Files share their process, and the matchers of all of them this comparison. */
  var areBuffersCompared: true | undefined
}

if (!globalThis.areBuffersCompared) {
  globalThis.areBuffersCompared = true
  expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)])
}
