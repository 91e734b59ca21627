/**
 * Carries a sweep out, in short transactions. Killed between two of them nothing is lost: checkpoints are marked first, so
 * none says more than it has; what others are packed against goes after them, so nothing that is kept becomes unreadable.
 */
import { bumpRev, readRev, write } from '../db/transaction.ts'
import { CHUNKED, EMPTIED } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'
import { GONE, KNOWN, NEEDED, REFERENCED } from './contents.ts'
import { markWrittenSince } from './needed.ts'
import type { SweepOptions, SweepPlan } from './plan-sweep.ts'

/** Rows, bytes and time of one transaction: a capture waits for no more than that. */
const STEP_MS = 15
const ROWS = 200
const BYTES = 4_000_000
const CHUNKS = 8

const WHY = 'part of what it held was let go of: past the limits set for the history, or on the never-keep list'

/** Packed bytes that were freed. */
export async function empty(store: Store, plan: SweepPlan, options: SweepOptions): Promise<number> {
  const { db } = store
  const { contents, choice } = plan
  const { flags, base, packed, depth } = contents
  let rev = plan.rev
  let freed = 0

  /** One transaction on facts that still hold; false ends the sweep. */
  const step = async (body: () => void): Promise<boolean> => {
    for (;;) {
      if (options.stop()) return false
      const now = readRev(db)
      // A position that was not kept whole when this was planned, in the past: plan again another time.
      if (now !== rev && hasGrown(plan, plan.positionsNow())) return false
      const done = write(db, () => {
        if (readRev(db) !== now) return false
        markWrittenSince(store, contents)
        body()
        rev = bumpRev(db)
        return true
      })
      const wait = options.pause()
      if (wait) await wait
      if (done) return true
    }
  }
  /** What is kept needs all that it is packed against. */
  const keep = (id: number): void => {
    for (let on = id; on !== 0 && on < flags.length; on = base[on] as number) flags[on]! |= NEEDED
  }

  const left = [...packed.keys()].filter((id) => (flags[id] as number) & GONE && (packed[id] as number) > 0)
  if (!(await dropChunks(store, left, step))) return freed
  const mark = db.prepare(
    "UPDATE checkpoint SET status = 'pruned', why = ? WHERE status IN ('available', 'restored') AND id IN (SELECT value FROM json_each(?))"
  )
  for (const some of portions(plan.checkpoints, ROWS))
    if (!(await step(() => mark.run(WHY, JSON.stringify(some.map((one) => one.id)))))) return freed

  const repack = store.content.repacker()
  for (let next = 0; next < choice.repack.length; ) {
    const goOn = await step(() => {
      for (
        const since = performance.now();
        next < choice.repack.length && performance.now() - since < STEP_MS;
        next++
      ) {
        const { id, base: on } = choice.repack[next] as { id: number; base: number }
        const made = repack(id, on === 0 ? null : on)
        if (!made) {
          keep(id)
          continue
        }
        freed += (packed[id] as number) - made.packed
        packed[id] = made.packed
        depth[id] = made.depth
        base[id] = made.base ?? 0
      }
    })
    if (!goOn) return freed
  }

  const clear = db.prepare(
    `UPDATE content SET codec = ${EMPTIED}, depth = 0, base = NULL, bytes = NULL WHERE id = ? AND codec <> ${EMPTIED}`
  )
  const clearLarge = db.prepare(`UPDATE content SET codec = ${EMPTIED} WHERE id = ? AND codec = ${CHUNKED}`)
  const drop = db.prepare('DELETE FROM content WHERE id = ?')
  for (const some of portions(choice.go, ROWS, (id) => packed[id] as number)) {
    const large: number[] = []
    const goOn = await step(() => {
      for (const id of some) {
        if ((flags[id] as number) & NEEDED) {
          keep(id)
          continue
        }
        if (clearLarge.run(id).changes > 0) large.push(id)
        else clear.run(id)
        // Nobody ever referred to it: its writer died before it was named.
        if (((flags[id] as number) & REFERENCED) === 0) drop.run(id)
        freed += packed[id] as number
        flags[id] = KNOWN | GONE
        base[id] = 0
      }
    })
    if (!goOn || !(await dropChunks(store, large, step))) return freed
  }
  return freed
}

/** Pieces of emptied contents, a few at a time; one that was filled again keeps its own. */
async function dropChunks(
  { db }: Store,
  contents: readonly number[],
  step: (body: () => void) => Promise<boolean>
): Promise<boolean> {
  const drop = db.prepare(
    `DELETE FROM chunk WHERE id IN (SELECT k.id FROM chunk k WHERE k.content = ? AND (SELECT c.codec FROM content c WHERE c.id = k.content) = ${EMPTIED} ORDER BY k.n LIMIT ${CHUNKS})`
  )
  for (const id of contents) {
    for (let left = true; left; ) {
      const goOn = await step(() => {
        left = drop.run(id).changes > 0
      })
      if (!goOn) return false
    }
  }
  return true
}

function hasGrown({ contents, positions }: SweepPlan, now: readonly number[]): boolean {
  const known = new Set(positions)
  return now.some((seq) => seq < contents.seen.edit && !known.has(seq))
}

/** Lists of at most `rows`, and of not much more than BYTES. */
function* portions<T>(list: readonly T[], rows: number, weigh: (one: T) => number = () => 0): Generator<T[]> {
  let some: T[] = []
  let bytes = 0
  for (const one of list) {
    some.push(one)
    bytes += weigh(one)
    if (some.length >= rows || bytes >= BYTES) {
      yield some
      some = []
      bytes = 0
    }
  }
  if (some.length > 0) yield some
}
