/** What the edits of a restore returned from: edits of the same paths after the ones that they return to. */
import type { EditRow } from './edits.ts'
import type { Store } from './open-store.ts'
import { tuples } from './sql.ts'

/** An edit as a link of its path's chain (log/chain.ts). */
export interface ChainLink extends Pick<EditRow, 'seq' | 'base'> {
  readonly isRestore: boolean
  /** It merged, or moved a file: its path has more than one line of edits. */
  readonly isBranch: boolean
}

export interface RestoreLink extends ChainLink {
  readonly path: number
  /** The edit of the path before it, 0 without one. */
  readonly previous: number
}

const IS_BRANCH = (edit: string): string => `${edit}.merge OR ${edit}.moved_from IS NOT NULL
  OR EXISTS (SELECT 1 FROM edit a WHERE a.moved_from = ${edit}.seq)`

/** The edits of a restore, in log order. */
export function linksOfRestore(store: Store, restore: string): RestoreLink[] {
  const sql = `SELECT r.seq, r.base, ${IS_BRANCH('r')}, r.path,
      coalesce((SELECT max(e.seq) FROM edit e WHERE e.path = r.path AND e.seq < r.seq), 0)
    FROM edit r WHERE r.restore = ? ORDER BY r.seq`
  return tuples<readonly [number, number, 0 | 1, number, number]>(store, sql, restore).map(
    ([seq, base, isBranch, path, previous]) => ({
      seq,
      base,
      isRestore: true,
      isBranch: isBranch === 1,
      path,
      previous
    })
  )
}

/** Throws if there is none. */
export function linkOf(store: Store, seq: number): ChainLink {
  const { base, restore, merge, movedFrom } = store.records.edit(seq)
  const isBranch = merge || movedFrom !== null || store.records.arrivalOf(seq) !== null
  return { seq, base, isRestore: restore !== null, isBranch }
}

interface PassedLinks {
  /** By their numbers. */
  readonly links: Map<number, ChainLink>
  /** Those of the restores' edits that are branches, or passed one. */
  readonly branched: Set<number>
}

/** The edits that these edits of restores passed: those of the same path after the one that each returns to. */
export function passedLinks(store: Store, restored: readonly RestoreLink[]): PassedLinks {
  const sql = `SELECT r.seq, e.seq, e.base, e.restore IS NOT NULL, ${IS_BRANCH('e')}
    FROM edit r JOIN edit e ON e.path = r.path AND e.seq > r.base AND e.seq < r.seq
    WHERE r.seq IN (SELECT value FROM json_each(?))`
  const seqs = JSON.stringify(restored.map(({ seq }) => seq))
  const rows = tuples<readonly [number, number, number, 0 | 1, 0 | 1]>(store, sql, seqs)
  const links = new Map<number, ChainLink>()
  const branched = new Set<number>()
  for (const link of restored) if (link.isBranch) branched.add(link.seq)
  for (const [by, seq, base, isRestore, isBranch] of rows) {
    links.set(seq, { seq, base, isRestore: isRestore === 1, isBranch: isBranch === 1 })
    if (isBranch === 1) branched.add(by)
  }
  return { links, branched }
}
