/**
 * The smallest part of a change that still makes the command fail: delta debugging (A. Zeller and R. Hildebrandt,
 * "Simplifying and Isolating Failure-Inducing Input", 2002). Pure.
 */
import type { ProbeResult } from '../../../contract/bisect.ts'

/**
 * Requires that the command fails with all of `parts` and passes with none. The result fails, and no single part of it can
 * be left out. A result `skip` counts as not failing. Ends early with the smallest set so far when `mayTry` says no.
 */
export async function minimize<T>(
  parts: readonly T[],
  test: (parts: readonly T[]) => Promise<ProbeResult>,
  mayTry: () => boolean = () => true
): Promise<{ readonly parts: readonly T[]; readonly isMinimal: boolean }> {
  const known = new Map<string, boolean>()
  const number = new Map(parts.map((part, n) => [part, n]))
  const fails = async (some: readonly T[]): Promise<boolean> => {
    const key = some.map((part) => number.get(part)).join()
    const before = known.get(key)
    if (before !== undefined) return before
    if (!mayTry()) return false
    const failed = (await test(some)) === 'bad'
    known.set(key, failed)
    return failed
  }
  let current = parts
  let pieces = 2
  while (current.length > 1) {
    const smaller = await firstFailing(candidates(split(current, pieces), current), fails)
    if (!mayTry()) return { parts: smaller?.parts ?? current, isMinimal: false }
    if (smaller) {
      current = smaller.parts
      pieces = smaller.isPiece ? 2 : Math.max(2, pieces - 1)
    } else if (pieces >= current.length) break
    else pieces = Math.min(current.length, pieces * 2)
  }
  return { parts: current, isMinimal: true }
}

interface Candidate<T> {
  readonly parts: readonly T[]
  /** A piece of the current set, not the rest without it. */
  readonly isPiece: boolean
}

/** Each piece, then everything but each piece. Of two pieces one is the rest without the other. */
function candidates<T>(pieces: readonly (readonly T[])[], current: readonly T[]): Candidate<T>[] {
  const own = pieces.map((parts) => ({ parts, isPiece: true }))
  if (pieces.length === 2) return own
  return [
    ...own,
    ...pieces.map((piece) => {
      const left = new Set(piece)
      return { parts: current.filter((part) => !left.has(part)), isPiece: false }
    })
  ]
}

async function firstFailing<T>(
  tried: readonly Candidate<T>[],
  fails: (parts: readonly T[]) => Promise<boolean>
): Promise<Candidate<T> | null> {
  for (const candidate of tried) if (await fails(candidate.parts)) return candidate
  return null
}

function split<T>(parts: readonly T[], pieces: number): T[][] {
  const size = parts.length / pieces
  return Array.from({ length: pieces }, (_, n) => parts.slice(Math.round(n * size), Math.round((n + 1) * size)))
}
