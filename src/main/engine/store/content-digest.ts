/**
 * SHA-256 of a content that is given some chunks at a time. The states of the hash between them stay in memory for a time, so
 * of the next version only what follows the last state before a difference is hashed: of a file that grows, what is new.
 */
import { createHash, type Hash } from 'node:crypto'
import { createByteCache } from './byte-cache.ts'

interface ContentDigest {
  /** The next chunks, and their SHA-256. Their bytes are not used after the call. */
  add(hashes: readonly Buffer[], chunks: readonly Buffer[]): void
  /** The SHA-256 of all chunks. */
  finish(): Buffer
}

/** The hashes of chunks that were added at once, and the state of the content's hash behind them. */
interface Step {
  readonly hashes: readonly Buffer[]
  readonly state: Hash
}

/** Steps take some 3 kB each. Of a larger content, the first ones are remembered: those of some GB, as files are read by MB. */
const MOST_STEPS = 1024

const recent = createByteCache<string, readonly Step[]>(MOST_STEPS)

/** `previous`: SHA-256 of a content with which this one probably begins; null if there is none. */
export function createContentDigest(previous: Buffer | null): ContentDigest {
  const before = (previous && recent.get(previous.toString('latin1'))) ?? []
  const steps: Step[] = []
  /** Null as long as all steps are those of `before`. */
  let digest: Hash | null = null
  const current = (): Hash => digest ?? steps.at(-1)?.state.copy() ?? createHash('sha256')
  return {
    add: (hashes, chunks) => {
      const known = digest ? undefined : before[steps.length]
      if (known && isSame(known.hashes, hashes)) steps.push(known)
      else {
        digest = current()
        for (const chunk of chunks) digest.update(chunk)
        if (previous && steps.length < MOST_STEPS) steps.push({ hashes, state: digest.copy() })
      }
    },
    finish: () => {
      const hash = current().digest()
      if (previous) recent.add(hash.toString('latin1'), steps)
      return hash
    }
  }
}

function isSame(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((hash, n) => hash.equals(b[n] as Buffer))
}
