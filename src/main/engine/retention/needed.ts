/**
 * Marks the contents that must stay.
 *
 * An edit with seq `s` that replaced content `c` ends the time in which its path held `c`; that time began at the
 * path's previous edit (seq `since`, 0 = the initial snapshot). A kept position `p` needs `c` if since <= p < s. Both
 * the log and the list of positions are ascending, so one pass over the log in pages is enough.
 */
import type { Store } from '../store/open-store.ts'
import { contentsNeededSince, contentsOfOpenRestores, replacedPage, versionPage } from '../store/retention-queries.ts'
import type { Writable } from '../store/sql.ts'
import {
  type Contents,
  NEEDED,
  NEVER_KEPT,
  type NeverKeptPaths,
  type Pause,
  pages,
  RECENT,
  REFERENCED
} from './contents.ts'

export interface Replaced {
  readonly seq: number
  readonly path: number
  /** The content that the edit replaced. */
  readonly content: number
  readonly at: number
  /** Seq of the path's previous edit, 0 = the initial snapshot. */
  readonly since: number
}

/** All edits up to `to` that replaced content, in log order. */
export async function* replacedContents(store: Store, to: number, pause: Pause): AsyncGenerator<readonly Replaced[]> {
  for await (const page of pages(store, replacedPage, to, pause)) {
    const replaced: Replaced[] = []
    for (const [seq, path, content, at, since] of page)
      if (content !== null) replaced.push({ seq, path, content, at, since })
    yield replaced
  }
}

interface RetentionRules {
  /** Positions at which every path keeps its content; ascending. */
  readonly positions: readonly number[]
  /** Content replaced before this time is old, ms UTC. */
  readonly cutoff: number
  /** When set, only content of these paths may be evicted, and no position protects it. */
  readonly neverKept: NeverKeptPaths
}

/** Sets NEEDED, RECENT, NEVER_KEPT and REFERENCED, and `last`, for all contents that were read. */
export async function markNeeded(
  store: Store,
  contents: Contents,
  { positions, cutoff, neverKept }: RetentionRules,
  pause: Pause
): Promise<void> {
  const { flags, last, readUpTo } = contents
  // Index of the first position at or after the current edit.
  let next = 0
  // [LG-1] An edit counts as old only if all edits before it are old, too: a wrong clock ages nothing.
  let latest = 0
  for await (const page of replacedContents(store, readUpTo.edit, pause)) {
    for (const { seq, path, content, at, since } of page) {
      last[content] = seq
      if (neverKept) {
        flags[content]! |= neverKept.has(path) ? NEVER_KEPT : NEEDED
        continue
      }
      while (next < positions.length && (positions[next] as number) < seq) next++
      if (next > 0 && (positions[next - 1] as number) >= since) flags[content]! |= NEEDED
      latest = Math.max(latest, at)
      if (latest >= cutoff) flags[content]! |= RECENT
    }
  }
  for await (const page of pages(store, versionPage, readUpTo.version, pause))
    for (const [, content] of page) if (content !== null) flags[content]! |= REFERENCED
  // A sweep of the exclude list leaves everything else alone, even content that nothing refers to.
  if (neverKept)
    for (let id = 1; id < flags.length; id++) if (!((flags[id] as number) & NEVER_KEPT)) flags[id]! |= NEEDED
  markOpenRestores(store, contents)
}

/** A restore under way, or interrupted and waiting to be recovered, needs both sides of every item. */
function markOpenRestores(store: Store, { flags }: Contents): void {
  for (const content of contentsOfOpenRestores(store)) if (content < flags.length) flags[content]! |= NEEDED
}

/**
 * [ST-2] Marks what rows written since `contents` was read need: new versions, both sides of new edits, the bases of
 * new contents, and restores that have begun. Part of the transaction that evicts.
 */
export function markWrittenSince(tx: Writable<Store>, contents: Contents): void {
  const { flags, readUpTo } = contents
  for (const id of contentsNeededSince(tx, readUpTo)) if (id < flags.length) flags[id]! |= NEEDED | REFERENCED
  markOpenRestores(tx, contents)
}
