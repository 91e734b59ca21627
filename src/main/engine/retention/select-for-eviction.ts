/**
 * Selects the contents to evict: oldest first, never what is needed, and no more than the budget requires. Pure; it
 * works on the number arrays of contents.ts alone.
 *
 * Contents are stored as differences: `base` is the content that one is packed against, so contents form trees.
 * Evicting a base makes every kept content directly above it store more, because it has to be repacked against the
 * nearest kept content below, or alone. What a selection frees is therefore not the sum of its parts. The number of
 * contents to evict is found by bisection, and each try weighs the trees in one linear pass.
 */
import { ALREADY_EVICTED, type Contents, HEAD, KNOWN, NEEDED, NEVER_KEPT, type Pause, RECENT } from './contents.ts'

export interface EvictionSelection {
  /** In the order of eviction: each content before its base. */
  readonly evicted: readonly number[]
  /** Kept contents whose base is evicted, and the kept content to pack them against instead (0 = none). */
  readonly repack: readonly Repack[]
  /** Estimate of the packed bytes that this frees. */
  readonly freed: number
  /** Estimate of the history bytes that remain. */
  readonly remaining: number
}

interface Repack {
  readonly id: number
  readonly base: number
}

/**
 * Evicts every old content that is not needed. If history is still over `budget`, it also evicts the fewest recent
 * ones, from the oldest on, that bring it down to `budget`; when even all of them are not enough, none of them.
 */
export async function selectForEviction(
  contents: Contents,
  conversations: number,
  budget: number,
  pause: Pause
): Promise<EvictionSelection> {
  const { flags, packed } = contents
  let history = conversations
  for (let id = 1; id < flags.length; id++)
    if (((flags[id] as number) & (KNOWN | ALREADY_EVICTED | HEAD)) === KNOWN) history += packed[id] as number
  const { ids, old } = candidatesOldestFirst(contents)
  const byDepth = deepestFirst(contents)
  /** By id, 1: evicted. */
  const evicted = new Uint8Array(flags.length)
  /** Selects the first `count` candidates; returns the history bytes that would remain. */
  const select = async (count: number): Promise<number> => {
    await pause()
    evicted.fill(0)
    for (let i = 0; i < count; i++) evicted[ids[i] as number] = 1
    keepSharedBases(contents, evicted, byDepth)
    keepUnprofitable(contents, evicted, byDepth)
    return history + weigh(contents, evicted, byDepth, null).growth
  }
  let tooFew = old
  let enough = ids.length
  if ((await select(tooFew)) > budget) {
    if ((await select(enough)) > budget) tooFew = enough
    while (enough - tooFew > 1) {
      const middle = (tooFew + enough) >> 1
      if ((await select(middle)) <= budget) enough = middle
      else tooFew = middle
    }
    await select(enough)
  }
  const repack: Repack[] = []
  const { freed, growth } = weigh(contents, evicted, byDepth, repack)
  sortByChain(contents, repack)
  return {
    evicted: [...byDepth.filter((id) => evicted[id] === 1)],
    repack,
    freed: Math.max(0, Math.round(freed)),
    remaining: Math.max(0, Math.round(history + growth))
  }
}

/** Groups by tree, and orders each tree from its root: unpacking then reuses the base that was just unpacked. */
function sortByChain({ base, depth }: Contents, repack: Repack[]): void {
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

/**
 * What may be evicted, in order: unreferenced contents, then by the edit that replaced them, with all recent ones last.
 * The first `old` of them are evicted whatever the budget.
 */
function candidatesOldestFirst({ flags, last, readUpTo }: Contents): { ids: Int32Array; old: number } {
  // An edit replaces one content, so a counting sort by seq needs no buckets.
  const bySeq = new Int32Array(readUpTo.edit + 1)
  const old: number[] = []
  const recent: number[] = []
  const add = (id: number): void => {
    if (((flags[id] as number) & (KNOWN | ALREADY_EVICTED | NEEDED | HEAD)) === KNOWN)
      ((flags[id] as number) & RECENT ? recent : old).push(id)
  }
  for (let id = 1; id < flags.length; id++) {
    if (last[id] === 0) add(id)
    else bySeq[last[id] as number] = id
  }
  for (const id of bySeq) if (id !== 0) add(id)
  return { ids: Int32Array.from([...old, ...recent]), old: old.length }
}

/**
 * Keeps a base that two or more kept contents depend on: repacking each of them would cost more than the base takes.
 * Content on the exclude list is evicted nevertheless. Needs an order in which each content comes before its base.
 */
function keepSharedBases({ base, flags }: Contents, evicted: Uint8Array, byDepth: Int32Array): void {
  // Number of kept contents that depend on each evicted one, directly or through evicted ones; 2 = two or more.
  const dependents = new Uint8Array(evicted.length)
  for (const id of byDepth) {
    const count = dependents[id] as number
    if (count > 1 && !((flags[id] as number) & NEVER_KEPT)) evicted[id] = 0
    const below = base[id] as number
    if (below !== 0 && evicted[below] === 1 && (evicted[id] === 0 || count > 0))
      dependents[below] = Math.min(2, (dependents[below] as number) + 1)
  }
}

/** An unbroken chain of evicted bases below a kept content, and what repacking that content costs. */
interface EvictedRun {
  /** The nearest kept content below the chain, 0 = none. */
  readonly newBase: number
  /** Packed bytes of the chain. */
  readonly bytes: number
  /** Estimate of how many bytes the kept content grows by when it is repacked. */
  readonly growth: number
}

function evictedRunBelow({ base, packed, size }: Contents, evicted: Uint8Array, id: number): EvictedRun | null {
  let at = base[id] as number
  if (evicted[at] !== 1) return null
  let bottom = at
  let bytes = 0
  while (at !== 0 && evicted[at] === 1) {
    bytes += packed[at] as number
    bottom = at
    at = base[at] as number
  }
  // Packed alone it compresses about as well as the lowest content of the chain. Packed against a kept content it takes
  // at most all the differences in between.
  const ratio = Math.max(1, size[id] as number) / Math.max(1, size[bottom] as number)
  const alone = Math.max(0, (packed[bottom] as number) * ratio - (packed[id] as number))
  return { newBase: at, bytes, growth: at === 0 ? alone : Math.min(alone, bytes) }
}

/** Bytes; repacking a content must free more than this, or its evicted bases are kept. */
const MIN_SAVING = 256

function keepUnprofitable(contents: Contents, evicted: Uint8Array, byDepth: Int32Array): void {
  const { base, flags } = contents
  for (const id of byDepth) {
    if (evicted[id] === 1) continue
    const run = evictedRunBelow(contents, evicted, id)
    if (!run || run.bytes - run.growth >= MIN_SAVING) continue
    for (let at = base[id] as number; at !== run.newBase; at = base[at] as number)
      if (!((flags[at] as number) & NEVER_KEPT)) evicted[at] = 0
  }
}

/**
 * Estimates what evicting frees (`freed`), and by how much history grows (`growth`, negative when it shrinks; growth of
 * heads is not history). Adds what has to be repacked to `repack`.
 */
function weigh(
  contents: Contents,
  evicted: Uint8Array,
  byDepth: Int32Array,
  repack: Repack[] | null
): { freed: number; growth: number } {
  let removed = 0
  let grown = 0
  let grownHeads = 0
  for (const id of byDepth) {
    if (evicted[id] === 1) {
      removed += contents.packed[id] as number
      continue
    }
    const run = evictedRunBelow(contents, evicted, id)
    if (!run) continue
    repack?.push({ id, base: run.newBase })
    grown += run.growth
    if ((contents.flags[id] as number) & HEAD) grownHeads += run.growth
  }
  return { freed: removed - grown, growth: grown - grownHeads - removed }
}

/** Stored contents by descending depth (a counting sort; depth is below 256), so that each comes before its base. */
function deepestFirst({ flags, depth }: Contents): Int32Array {
  const offsets = new Int32Array(257)
  let count = 0
  const isStored = (id: number): boolean => ((flags[id] as number) & (KNOWN | ALREADY_EVICTED)) === KNOWN
  for (let id = 1; id < flags.length; id++) {
    if (!isStored(id)) continue
    count++
    offsets[255 - (depth[id] as number) + 1]!++
  }
  for (let i = 1; i < offsets.length; i++) offsets[i]! += offsets[i - 1] as number
  const order = new Int32Array(count)
  for (let id = 1; id < flags.length; id++) if (isStored(id)) order[offsets[255 - (depth[id] as number)]!++] = id
  return order
}
