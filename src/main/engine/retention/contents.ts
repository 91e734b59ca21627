/**
 * A sweep's view of all contents of a store: arrays of numbers indexed by content id, about 30 bytes per content
 * whatever its size. They are read in pages; no transaction stays open between two pages, so the view may be out of
 * date when it is complete. `readUpTo` says which rows it covers, and evicting checks everything written after them
 * (needed.ts).
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { EVICTED_CODEC } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'
import {
  chunkPage,
  contentPage,
  contentsOfChunk,
  countContents,
  greatestId,
  headPage,
  type Page
} from '../store/retention-queries.ts'

/** Called between steps of long work. Returns a promise when other work of this thread should run first. */
export type Pause = () => Promise<void> | undefined

// Bits of `Contents.flags`.
/** A complete content has this id. */
export const KNOWN = 1
/** At least one version refers to it. */
export const REFERENCED = 2
/** A path holds it now. */
export const HEAD = 4
/** It must not be evicted. */
export const NEEDED = 8
/** It was replaced after the cutoff of `history.days`. */
export const RECENT = 16
/** Its bytes were evicted before. */
export const ALREADY_EVICTED = 32
/** A path on the exclude list held it. It is evicted unless another path needs it. */
export const NEVER_KEPT = 64

/** Row ids of the paths on the exclude list whose content is evicted; null in an ordinary sweep. */
export type NeverKeptPaths = ReadonlySet<number> | null

export interface Contents {
  /**
   * Greatest id of each table when reading began. Rows with greater ids are checked before anything is evicted (ST-2).
   */
  readonly readUpTo: { content: number; chunk: number; version: number; edit: number }
  /** Stored bytes, after compression; those of a chunk once, where they are freed (addChunkBytes). */
  readonly packed: Float64Array
  /** Bytes of the file. */
  readonly size: Float64Array
  /** The content it is packed against (its dictionary), 0 = none. */
  readonly base: Int32Array
  /** Length of the chain of bases below it. */
  readonly depth: Uint8Array
  readonly flags: Uint8Array
  /** Seq of the newest edit that replaced it, 0 = none. */
  readonly last: Float64Array
}

const PAGE_ROWS = 2000

/**
 * Reads everything but chunks (addChunkBytes) and what the log says of contents: see markNeeded for NEEDED, RECENT,
 * REFERENCED and `last`.
 */
export async function readContents(store: Store, neverKept: NeverKeptPaths, pause: Pause): Promise<Contents> {
  // Read before anything else: all later rows get greater ids, except evicted content that is stored again.
  const readUpTo = {
    version: greatestId(store, 'version'),
    edit: store.records.lastSeq(),
    chunk: greatestId(store, 'chunk'),
    content: greatestId(store, 'content')
  }
  refuseAbsurdIds(store, readUpTo.content)
  const length = readUpTo.content + 1
  const contents: Contents = {
    readUpTo,
    packed: new Float64Array(length),
    size: new Float64Array(length),
    base: new Int32Array(length),
    depth: new Uint8Array(length),
    flags: new Uint8Array(length),
    last: new Float64Array(length)
  }
  for await (const page of pages(store, contentPage, readUpTo.content, pause))
    for (const [id, size, codec, depth, base, packed] of page) {
      contents.flags[id] = codec === EVICTED_CODEC ? KNOWN | ALREADY_EVICTED : KNOWN
      contents.size[id] = size
      contents.depth[id] = depth
      contents.base[id] = base
      contents.packed[id] = packed
    }
  refuseCircles(contents.base)
  for await (const page of pages(store, headPage, greatestId(store, 'path'), pause))
    for (const [id, content] of page)
      if (content !== null) contents.flags[content]! |= neverKept?.has(id) ? NEVER_KEPT : HEAD | NEEDED
  return contents
}

/**
 * Adds the bytes of chunks, each to the content that frees it. After `markNeeded`, where a sweep follows: which of the
 * contents that share a chunk is evicted last depends on it.
 */
export async function addChunkBytes(store: Store, contents: Contents, pause: Pause): Promise<void> {
  for await (const page of pages(store, chunkPage, contents.readUpTo.chunk, pause))
    for (const [id, bytes, newest] of page) {
      // Mostly the newest is what the file holds now, and the others need not be read.
      const isHead = ((contents.flags[newest] ?? 0) & HEAD) !== 0
      const last = isHead ? newest : evictedLast(contents, [newest, ...contentsOfChunk(store, id)])
      if (last < contents.packed.length) contents.packed[last]! += bytes
    }
}

/** Heads are never evicted, nor what kept positions need; the others from the oldest on. */
function evictedLast({ flags, last }: Contents, contents: readonly number[]): number {
  const rankOf = (id: number): number => {
    const bits = flags[id] ?? 0
    if (bits & HEAD) return Number.POSITIVE_INFINITY
    if (bits & NEEDED) return Number.MAX_SAFE_INTEGER
    return bits & ALREADY_EVICTED ? -1 : (last[id] ?? 0)
  }
  return contents.reduce((a, b) => {
    const [rankA, rankB] = [rankOf(a), rankOf(b)]
    return rankB > rankA || (rankB === rankA && b > a) ? b : a
  })
}

/** Rows of contents are hardly ever deleted, so ids are about as many as rows; the arrays are as long as the greatest. */
function refuseAbsurdIds(store: Store, greatest: number): void {
  if (greatest > MIN_ABSURD_ID && greatest > MAX_GAP * countContents(store)) throw foreignContents(`the id ${greatest}`)
}

const MIN_ABSURD_ID = 1_000_000
const MAX_GAP = 100

/** Every content is passed once: a chain ends at its root, or where an earlier chain has been. */
function refuseCircles(base: Int32Array): void {
  const passedBy = new Int32Array(base.length)
  for (let id = 1; id < base.length; id++) {
    let at = id
    while (at !== 0 && passedBy[at] === 0) {
      passedBy[at] = id
      at = base[at] ?? 0
    }
    if (at !== 0 && passedBy[at] === id) throw foreignContents('contents that are packed against each other')
  }
}

function foreignContents(what: string): DriftlineError {
  return new DriftlineError(
    'StoreDamaged',
    `The history has ${what}, so nothing was removed from it. Run "driftline doctor" for a list.`
  )
}

/** Reads all rows with key <= `to`, pausing between pages. */
export async function* pages<Row extends readonly [number, ...unknown[]]>(
  store: Store,
  page: Page<Row>,
  to: number,
  pause: Pause
): AsyncGenerator<readonly Row[]> {
  for (let after = 0; after < to; ) {
    const rows = page(store, after, to, PAGE_ROWS)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last[0]
    await pause()
  }
}
