/** Which contents go: a function of numbers alone. Oldest first, never what is needed, and no more than asked for. */
import { type Contents, GONE, HEAD, KNOWN, NEEDED, YOUNG } from './contents.ts'

export interface Choice {
  /** Contents to empty, those that others are packed against after those others. */
  readonly go: readonly number[]
  /** Kept contents whose dictionary goes, and the kept one to pack them against instead (0 = none). */
  readonly repack: readonly { readonly id: number; readonly base: number }[]
  /** Packed bytes that this frees, about. */
  readonly freed: number
  /** History bytes left, about. */
  readonly left: number
}

/**
 * Everything unneeded that is old goes; then, oldest first, as much as it takes to get history down to `budget`. A
 * dictionary that two kept contents stand on stays: packing both anew would cost more than it takes.
 */
export function choose(contents: Contents, budget: number): Choice {
  const { flags, packed, last } = contents
  const candidates: number[] = []
  let history = 0
  for (let id = 1; id < flags.length; id++) {
    const one = flags[id] as number
    if ((one & KNOWN) === 0 || (one & GONE) !== 0) continue
    if ((one & HEAD) === 0) history += packed[id] as number
    if ((one & (NEEDED | HEAD)) === 0) candidates.push(id)
  }
  const isYoung = (id: number): number => ((flags[id] as number) & YOUNG ? 1 : 0)
  candidates.sort((a, b) => isYoung(a) - isYoung(b) || (last[a] as number) - (last[b] as number) || a - b)
  const firstYoung = candidates.findIndex((id) => isYoung(id) === 1)
  const byDepth = deepestFirst(contents)
  const first = (count: number): Choice => without(contents, new Set(candidates.slice(0, count)), byDepth, history)

  let few = firstYoung === -1 ? candidates.length : firstYoung
  let choice = first(few)
  if (choice.left <= budget || few === candidates.length) return choice
  // The smallest number that is enough.
  let many = candidates.length
  choice = first(many)
  while (choice.left <= budget && many - few > 1) {
    const middle = (few + many) >> 1
    const tried = first(middle)
    if (tried.left <= budget) {
      many = middle
      choice = tried
    } else few = middle
  }
  return choice
}

/** What emptying `wanted` comes to. */
function without(contents: Contents, wanted: ReadonlySet<number>, byDepth: Int32Array, history: number): Choice {
  const { base, packed, size, flags } = contents
  const going = new Set(wanted)
  const demand = new Map<number, number>()
  // Deepest first, so that everything packed against a content comes before it.
  for (const id of byDepth) {
    const wants = demand.get(id) ?? 0
    if (going.has(id) && wants > 1) going.delete(id)
    const on = base[id] as number
    if (on !== 0 && going.has(on) && (!going.has(id) || wants > 0)) demand.set(on, (demand.get(on) ?? 0) + 1)
  }
  const go: number[] = []
  const repack: { id: number; base: number }[] = []
  let emptied = 0
  let grown = 0
  let grownHead = 0
  for (const id of byDepth) {
    if (going.has(id)) {
      go.push(id)
      emptied += packed[id] as number
      continue
    }
    if (!going.has(base[id] as number)) continue
    let on = base[id] as number
    let bottom = on
    let skipped = 0
    while (on !== 0 && going.has(on)) {
      skipped += packed[on] as number
      bottom = on
      on = base[on] as number
    }
    repack.push({ id, base: on })
    // Differences add up at most; without a dictionary it takes about what the first of its line takes.
    const share = Math.max(1, size[id] as number) / Math.max(1, size[bottom] as number)
    const growth = on === 0 ? Math.max(0, (packed[bottom] as number) * share - (packed[id] as number)) : skipped
    grown += growth
    if ((flags[id] as number) & HEAD) grownHead += growth
  }
  return {
    go,
    repack,
    freed: Math.max(0, Math.round(emptied - grown)),
    left: Math.max(0, Math.round(history - emptied + grown - grownHead))
  }
}

function deepestFirst({ flags, depth }: Contents): Int32Array {
  const counts = new Int32Array(257)
  let known = 0
  const isThere = (id: number): boolean => ((flags[id] as number) & (KNOWN | GONE)) === KNOWN
  for (let id = 1; id < flags.length; id++) {
    if (!isThere(id)) continue
    known++
    counts[255 - (depth[id] as number) + 1]!++
  }
  for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1] as number
  const order = new Int32Array(known)
  for (let id = 1; id < flags.length; id++) if (isThere(id)) order[counts[255 - (depth[id] as number)]!++] = id
  return order
}
