/**
 * Finds the lines that two texts have in common: a longest common subsequence with a bound on the work. The exact algorithm is
 * that of jsdiff (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986); beyond its bound, unique lines serve
 * as anchors, as in Bram Cohen's patience diff.
 */
import { diffArrays } from 'diff'

/** Edit distance at which the exact comparison gives up. Its work grows with the square of the distance. */
const EXACT_EDITS = 2500
/** The same bound for each stretch between two anchors. */
const STRETCH_EDITS = 300

/**
 * Marks common lines: the n-th 1 in `keptA` and the n-th 1 in `keptB` are a pair. Exact unless the texts are very different;
 * then lines that occur once on each side are anchors, and a stretch between two anchors that is still too different counts
 * as replaced. Never quadratic in the number of lines, and deterministic.
 */
export function matchLines(a: Int32Array, b: Int32Array, keptA: Uint8Array, keptB: Uint8Array): void {
  const whole = { fromA: 0, toA: a.length, fromB: 0, toB: b.length }
  const keep: Keep = (lineA, lineB) => {
    keptA[lineA] = 1
    keptB[lineB] = 1
  }
  if (matchExactly(a, b, whole, EXACT_EDITS, keep)) return
  // One level of anchors is enough in practice, and keeps the worst case flat.
  let fromA = 0
  let fromB = 0
  for (const [lineA, lineB] of anchors(a, b)) {
    matchExactly(a, b, { fromA, toA: lineA, fromB, toB: lineB }, STRETCH_EDITS, keep)
    keep(lineA, lineB)
    fromA = lineA + 1
    fromB = lineB + 1
  }
  matchExactly(a, b, { fromA, toA: a.length, fromB, toB: b.length }, STRETCH_EDITS, keep)
}

type Keep = (lineA: number, lineB: number) => void

interface Stretch {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

/** Matches equal ends, then the rest with jsdiff. False when that needs more than `maxEdits`; then only the ends are kept. */
function matchExactly(a: Int32Array, b: Int32Array, stretch: Stretch, maxEdits: number, keep: Keep): boolean {
  let { fromA, toA, fromB, toB } = stretch
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) keep(fromA++, fromB++)
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) keep(--toA, --toB)
  if (fromA === toA || fromB === toB) return true
  const parts = diffArrays(Array.from(a.subarray(fromA, toA)), Array.from(b.subarray(fromB, toB)), {
    maxEditLength: maxEdits
  })
  if (!parts) return false
  let lineA = fromA
  let lineB = fromB
  for (const part of parts) {
    if (part.removed) lineA += part.value.length
    else if (part.added) lineB += part.value.length
    else for (let n = 0; n < part.value.length; n++) keep(lineA++, lineB++)
  }
  return true
}

/** Pairs of lines that occur exactly once on each side: the longest sequence that is in order on both. */
function anchors(a: Int32Array, b: Int32Array): [number, number][] {
  const onceInA = onlyOnce(a)
  const onceInB = onlyOnce(b)
  const pairs: [number, number][] = []
  for (const [id, lineA] of onceInA) {
    const lineB = onceInB.get(id)
    if (lineA >= 0 && lineB !== undefined && lineB >= 0) pairs.push([lineA, lineB])
  }
  pairs.sort((x, y) => x[0] - y[0])
  // Longest increasing subsequence by patience sorting: the top of each pile, and for each pair the top of the previous pile.
  const piles: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (let i = 0; i < pairs.length; i++) {
    let low = 0
    let high = piles.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[piles[middle]!]![1] < pairs[i]![1]) low = middle + 1
      else high = middle
    }
    if (low > 0) previous[i] = piles[low - 1]!
    piles[low] = i
  }
  const chain: [number, number][] = []
  for (let i = piles.at(-1) ?? -1; i !== -1; i = previous[i]!) chain.push(pairs[i]!)
  return chain.reverse()
}

/** The position of each id that occurs once; -1 for those that occur more often. */
function onlyOnce(ids: Int32Array): Map<number, number> {
  const at = new Map<number, number>()
  for (let i = 0; i < ids.length; i++) at.set(ids[i]!, at.has(ids[i]!) ? -1 : i)
  return at
}
