/**
 * SHA-256 of a content that is given chunk by chunk. The state of the hash after each chunk stays in memory for a time,
 * so of the next version only what follows the first chunk that differs is hashed: of a file that grows, what is new.
 */
import { createHash, type Hash } from 'node:crypto'
import { createByteCache } from './byte-cache.ts'

interface ContentDigest {
  /** The next chunk and its SHA-256. */
  add(chunk: Buffer, bytes: Buffer): void
  /** The SHA-256 of all chunks. */
  finish(): Buffer
}

/** A chunk's hash, and the state of the content's hash behind it. */
interface Step {
  readonly chunk: Buffer
  readonly state: Hash
}

/** Steps take 0.8 kB each. Of a larger content, the first ones are remembered: those of some 300 MB. */
const MOST_STEPS = 4096

const recent = createByteCache<string, readonly Step[]>(MOST_STEPS)

/** `previous`: SHA-256 of a content with which this one probably begins; null if there is none. */
export function createContentDigest(previous: Buffer | null): ContentDigest {
  const before = (previous && recent.get(previous.toString('latin1'))) ?? []
  const steps: Step[] = []
  /** Null as long as all chunks are those of `before`. */
  let digest: Hash | null = null
  const current = (): Hash => digest ?? steps.at(-1)?.state.copy() ?? createHash('sha256')
  return {
    add: (chunk, bytes) => {
      const known = digest ? undefined : before[steps.length]
      if (known?.chunk.equals(chunk)) steps.push(known)
      else {
        digest = current()
        digest.update(bytes)
        if (previous && steps.length < MOST_STEPS) steps.push({ chunk, state: digest.copy() })
      }
    },
    finish: () => {
      const hash = current().digest()
      if (previous) recent.add(hash.toString('latin1'), steps)
      return hash
    }
  }
}
