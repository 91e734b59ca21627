/**
 * [ST-2] Plans a sweep: which contents it evicts, and which paths and checkpoints lose something by that. Planning only
 * reads and holds no transaction; `rev` is the revision the plan is based on, and evicting checks it again in each
 * step.
 */
import type { SweepResult } from '../../../contract/storage.ts'
import { storedConversationBytes } from '../store/message-text.ts'
import { readRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { pathNames } from '../store/paths.ts'
import { headContents, intactCheckpoints, retentionCheckpoints, runSpans } from '../store/retention-queries.ts'
import { positionsOfWorktrees } from '../store/shared-content.ts'
import { addChunkBytes, type Contents, type NeverKeptPaths, type Pause, readContents } from './contents.ts'
import type { RetentionLimits } from './limits.ts'
import { markNeeded, replacedContents } from './needed.ts'
import { cutoffOf, type RetentionFacts, retainedPositions } from './retained.ts'
import { type EvictionSelection, selectForEviction } from './select-for-eviction.ts'

export interface SweepOptions extends RetentionLimits {
  readonly dryRun: boolean
  readonly now: number
  readonly pause: Pause
  /** null: an ordinary sweep. Else all content of the paths for which it is true is evicted, and nothing besides. */
  readonly neverKeep: ((path: string) => boolean) | null
  /** Checked between two steps. true ends the sweep early; the next sweep continues. */
  stop(): boolean
}

export interface SweepPlan {
  readonly rev: number
  readonly contents: Contents
  readonly selection: EvictionSelection
  /** The positions that are kept whole. */
  readonly positions: readonly number[]
  /** The same, read again. */
  positionsNow(): readonly number[]
  /** Checkpoints that lose content, newest first. */
  readonly checkpoints: readonly SweepResult['checkpoints'][number][]
  /** Evicted versions by row id of their path. */
  readonly paths: ReadonlyMap<number, PathLoss>
}

interface PathLoss {
  versions: number
  bytes: number
}

type Selected = Pick<SweepPlan, 'contents' | 'selection' | 'positions' | 'positionsNow'> & {
  readonly neverKept: NeverKeptPaths
}

export async function planSweep(store: Store, options: SweepOptions): Promise<SweepPlan> {
  const rev = readRev(store)
  let selected = await select(store, { ...options, oldSessions: true })
  // Still over the budget: sessions that ended before the cutoff lose their positions, too.
  if (!options.neverKeep && selected.selection.remaining > options.budget)
    selected = await select(store, { ...options, oldSessions: false })
  return withLosses(store, rev, selected, options.pause)
}

async function select(store: Store, options: SweepOptions & RetainedAt): Promise<Selected> {
  const positionsNow = (): number[] => retainedPositions(retentionFacts(store, options))
  const neverKept = options.neverKeep && pathsMatching(store, options.neverKeep)
  const contents = await readContents(store, neverKept, options.pause)
  const positions = positionsNow()
  const cutoff = cutoffOf(options.now, options.days)
  await markNeeded(store, contents, { positions, cutoff, neverKept }, options.pause)
  await addChunkBytes(store, contents, options.pause)
  const budget = neverKept ? Number.POSITIVE_INFINITY : options.budget
  const selection = await selectForEviction(contents, storedConversationBytes(store), budget, options.pause)
  return { contents, positions, positionsNow, selection, neverKept }
}

function pathsMatching(store: Store, matches: (path: string) => boolean): ReadonlySet<number> {
  return new Set(
    pathNames(store)
      .filter(({ name }) => matches(name))
      .map(({ id }) => id)
  )
}

/** Adds which paths and checkpoints lose content. */
async function withLosses(store: Store, rev: number, plan: Selected, pause: Pause): Promise<SweepPlan> {
  const { contents, selection, positions, neverKept } = plan
  const isEvicted = new Uint8Array(contents.flags.length)
  for (const id of selection.evicted) isEvicted[id] = 1
  const checkpoints = intactCheckpoints(store)
  // An evicted version damages all checkpoints with since <= seq of checkpoint < seq of the edit that replaced it. Such
  // a range is noted as +1 where it begins and -1 after its end; the running sum then is the number of losses of each.
  const losses = new Int32Array(checkpoints.length + 1)
  const paths = new Map<number, PathLoss>()
  const lossOf = (path: number): PathLoss => {
    const known = paths.get(path)
    if (known) return known
    const loss = { versions: 0, bytes: 0 }
    paths.set(path, loss)
    return loss
  }
  if (selection.evicted.length > 0) {
    for await (const page of replacedContents(store, contents.readUpTo.edit, pause)) {
      for (const { seq, path, content, since } of page) {
        if (isEvicted[content] === 0) continue
        if (neverKept && !neverKept.has(path)) continue
        losses[indexAtOrAfter(checkpoints, since)]!++
        losses[indexAtOrAfter(checkpoints, seq)]!--
        const loss = lossOf(path)
        loss.versions++
        // Versions may share a content: its bytes are counted once.
        if (contents.last[content] === seq) loss.bytes += contents.packed[content] as number
      }
    }
  }
  if (neverKept) {
    for (const { path, content } of headContents(store)) {
      if (isEvicted[content] === 0 || !neverKept.has(path)) continue
      const loss = lossOf(path)
      loss.versions++
      loss.bytes += contents.packed[content] as number
    }
    // Checkpoints stay available: they now are as if these paths had never been kept, and restores name what is
    // missing.
    return { ...plan, rev, checkpoints: [], paths }
  }
  for (let i = 1; i < losses.length; i++) losses[i]! += losses[i - 1] as number
  const kept = new Set(positions)
  const damaged = checkpoints.filter(({ seq }, i) => (losses[i] as number) > 0 && !kept.has(seq)).reverse()
  return { ...plan, rev, checkpoints: damaged.map(({ seq: _, ...checkpoint }) => checkpoint), paths }
}

/** Binary search: index of the first row at `seq` or later. */
function indexAtOrAfter(rows: readonly { readonly seq: number }[], seq: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as { seq: number }).seq < seq) low = middle + 1
    else high = middle
  }
  return low
}

type RetainedAt = Pick<RetentionFacts, 'now' | 'days' | 'oldSessions'>

export function retentionFacts(store: Store, { now, days, oldSessions }: RetainedAt): RetentionFacts {
  const worktrees = positionsOfWorktrees(store, store.file)
  return { checkpoints: retentionCheckpoints(store), runs: runSpans(store), worktrees, now, days, oldSessions }
}

/** How many positions are kept whole now, and the time of the oldest. */
export function retainedNow(store: Store, now: number, days: number): { positions: number; oldestAt: number | null } {
  const facts = retentionFacts(store, { now, days, oldSessions: true })
  const kept = new Set(retainedPositions(facts))
  let oldestAt: number | null = null
  for (const { seq, at } of facts.checkpoints) if (kept.has(seq) && (oldestAt === null || at < oldestAt)) oldestAt = at
  return { positions: kept.size, oldestAt }
}
