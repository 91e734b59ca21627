/** Which contents go: a function of numbers alone. Oldest first, never what is needed, and no more than asked for. */
import { type Contents, FORGOTTEN, GONE, HEAD, KNOWN, NEEDED, type Pause, YOUNG } from './contents.ts'

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
export async function choose(contents: Contents, budget: number, pause: Pause): Promise<Choice> {
  const { flags, packed } = contents
  let history = 0
  for (let id = 1; id < flags.length; id++)
    if (((flags[id] as number) & (KNOWN | GONE | HEAD)) === KNOWN) history += packed[id] as number
  const { ids, old } = oldestFirst(contents)
  const byDepth = deepestFirst(contents)
  /** 1: goes. */
  const going = new Uint8Array(flags.length)
  const left = async (count: number): Promise<number> => {
    await pause()
    going.fill(0)
    for (let i = 0; i < count; i++) going[ids[i] as number] = 1
    keepForks(contents, going, byDepth)
    keepWhatSavesNothing(contents, going, byDepth)
    return history + weigh(contents, going, byDepth, null).left
  }
  let few = old
  let many = ids.length
  if ((await left(few)) > budget) {
    // The smallest number that is enough, or all.
    if ((await left(many)) > budget) few = many
    while (many - few > 1) {
      const middle = (few + many) >> 1
      if ((await left(middle)) <= budget) many = middle
      else few = middle
    }
    await left(many)
  }
  const repack: { id: number; base: number }[] = []
  const { freed, left: after } = weigh(contents, going, byDepth, repack)
  inChains(contents, repack)
  return {
    go: [...byDepth.filter((id) => going[id] === 1)],
    repack,
    freed: Math.max(0, Math.round(freed)),
    left: Math.max(0, Math.round(history + after))
  }
}

/** One chain of dictionaries after the other, each from its beginning. */
function inChains({ base, depth }: Contents, repack: { id: number; base: number }[]): void {
  const rootOf = (id: number): number => {
    let at = id
    while (base[at] !== 0) at = base[at] as number
    return at
  }
  const roots = new Map(repack.map(({ id }) => [id, rootOf(id)]))
  repack.sort(
    (a, b) =>
      (roots.get(a.id) as number) - (roots.get(b.id) as number) || (depth[a.id] as number) - (depth[b.id] as number)
  )
}

/** What may go, in the order in which it goes; the first `old` of them go in any case. */
function oldestFirst({ flags, last, seen }: Contents): { ids: Int32Array; old: number } {
  const bySeq = new Int32Array(seen.edit + 1)
  const ids: number[] = []
  const young: number[] = []
  const take = (id: number): void => {
    if (((flags[id] as number) & (KNOWN | GONE | NEEDED | HEAD)) === KNOWN)
      ((flags[id] as number) & YOUNG ? young : ids).push(id)
  }
  for (let id = 1; id < flags.length; id++) {
    if (last[id] === 0) take(id)
    else bySeq[last[id] as number] = id
  }
  for (const id of bySeq) if (id !== 0) take(id)
  return { ids: Int32Array.from([...ids, ...young]), old: ids.length }
}

/**
 * A dictionary that two kept contents stand on stays, unless it is to be forgotten. Deepest first: what is packed against a
 * content comes before it.
 */
function keepForks({ base, flags }: Contents, going: Uint8Array, byDepth: Int32Array): void {
  const demand = new Uint8Array(going.length)
  for (const id of byDepth) {
    const wants = demand[id] as number
    if (wants > 1 && !((flags[id] as number) & FORGOTTEN)) going[id] = 0
    const on = base[id] as number
    if (on !== 0 && going[on] === 1 && (going[id] === 0 || wants > 0))
      demand[on] = Math.min(2, (demand[on] as number) + 1)
  }
}

/** Going contents that a kept one is packed against, and what packing it anew would add, about. */
interface Run {
  /** The kept content below, 0 = none. */
  readonly on: number
  readonly skipped: number
  readonly growth: number
}

function runBelow({ base, packed, size }: Contents, going: Uint8Array, id: number): Run | null {
  let on = base[id] as number
  if (going[on] !== 1) return null
  let bottom = on
  let skipped = 0
  while (on !== 0 && going[on] === 1) {
    skipped += packed[on] as number
    bottom = on
    on = base[on] as number
  }
  // Alone it takes about what the first of its line takes; against a kept one at most all the differences in between.
  const share = Math.max(1, size[id] as number) / Math.max(1, size[bottom] as number)
  const alone = Math.max(0, (packed[bottom] as number) * share - (packed[id] as number))
  return { on, skipped, growth: on === 0 ? alone : Math.min(alone, skipped) }
}

/** Less than this is not worth packing a content anew: what it is packed against stays. */
const WORTH = 256

function keepWhatSavesNothing(contents: Contents, going: Uint8Array, byDepth: Int32Array): void {
  const { base, flags } = contents
  for (const id of byDepth) {
    if (going[id] === 1) continue
    const run = runBelow(contents, going, id)
    if (!run || run.skipped - run.growth >= WORTH) continue
    for (let at = base[id] as number; at !== run.on; at = base[at] as number)
      if (!((flags[at] as number) & FORGOTTEN)) going[at] = 0
  }
}

/** What emptying `going` frees, and what that adds to history (less than 0). Notes what has to be packed anew. */
function weigh(
  contents: Contents,
  going: Uint8Array,
  byDepth: Int32Array,
  repack: { id: number; base: number }[] | null
): { freed: number; left: number } {
  let emptied = 0
  let grown = 0
  let grownHead = 0
  for (const id of byDepth) {
    if (going[id] === 1) {
      emptied += contents.packed[id] as number
      continue
    }
    const run = runBelow(contents, going, id)
    if (!run) continue
    repack?.push({ id, base: run.on })
    grown += run.growth
    if ((contents.flags[id] as number) & HEAD) grownHead += run.growth
  }
  return { freed: emptied - grown, left: grown - grownHead - emptied }
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
