/** [ST-2] What a sweep would let go of: the contents no kept position needs, and which paths and checkpoints that means. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Sweep } from '../../../contract/storage.ts'
import { readRev } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import type { Bounds } from './bounds.ts'
import { type Choice, choose } from './choose.ts'
import { type Contents, type Forgotten, headContents, type Pause, readContents } from './contents.ts'
import { markNeeded, replacedContents } from './needed.ts'
import { retentionFacts } from './positions.ts'
import { cutoffOf, retainedPositions } from './retained.ts'

export interface SweepOptions extends Bounds {
  readonly dryRun: boolean
  readonly now: number
  readonly pause: Pause
  /** null: as the bounds say. Else all that was kept of these paths goes, whatever needs it, and nothing else. */
  readonly forgets: ((path: string) => boolean) | null
  /** Asked between two steps: true ends the sweep early; the next one goes on. */
  stop(): boolean
}

export interface SweepPlan {
  readonly rev: number
  readonly contents: Contents
  readonly choice: Choice
  /** Kept whole. */
  readonly positions: readonly number[]
  /** The same, read anew. */
  positionsNow(): readonly number[]
  /** Checkpoints whose content goes, newest first. */
  readonly checkpoints: readonly Sweep['checkpoints'][number][]
  /** By row id of the path. */
  readonly paths: ReadonlyMap<number, { versions: number; bytes: number }>
}

/** Only reads. */
export async function planSweep(store: Store, options: SweepOptions): Promise<SweepPlan> {
  const rev = readRev(store.db)
  const all = await marked(store, options, true)
  if (options.forgets || all.choice.left <= options.budget) return withVictims(store, rev, all, options)
  // Not enough: conversations of long ago give up their points too.
  return withVictims(store, rev, await marked(store, options, false), options)
}

type Marked = Pick<SweepPlan, 'contents' | 'choice' | 'positions' | 'positionsNow'> & { readonly forgotten: Forgotten }

async function marked(store: Store, options: SweepOptions, oldSessions: boolean): Promise<Marked> {
  const positionsNow = (): number[] => retainedPositions(retentionFacts(store, options.now, options.days, oldSessions))
  const forgotten = options.forgets && forgottenPaths(store, options.forgets)
  const contents = await readContents(store, forgotten, options.pause)
  const positions = positionsNow()
  await markNeeded(
    store,
    contents,
    { positions, cutoff: cutoffOf(options.now, options.days), forgotten },
    options.pause
  )
  const budget = forgotten ? Number.POSITIVE_INFINITY : options.budget
  const choice = await choose(contents, budget, options.pause)
  return { contents, positions, positionsNow, choice, forgotten }
}

function forgottenPaths({ db }: Store, forgets: (path: string) => boolean): ReadonlySet<number> {
  const rows = db.prepare("SELECT id, name FROM path WHERE name <> ''").all() as { id: number; name: string }[]
  return new Set(rows.filter(({ name }) => forgets(name)).map(({ id }) => id))
}

/** What goes, in the words of paths and checkpoints. */
async function withVictims(
  store: Store,
  rev: number,
  plan: Marked,
  { pause }: Pick<SweepOptions, 'pause'>
): Promise<SweepPlan> {
  const { contents, choice, positions, forgotten } = plan
  const going = new Uint8Array(contents.flags.length)
  for (const id of choice.go) going[id] = 1
  const kept = new Set(positions)
  const points = store.db
    .prepare(
      "SELECT id, seq, reason, label, at, run, session FROM checkpoint WHERE status IN ('available', 'restored') ORDER BY seq, n"
    )
    .all() as Pick<Checkpoint, 'id' | 'seq' | 'reason' | 'label' | 'at' | 'run' | 'session'>[]
  // Differences: a run of points is lost from here on, and no more from there on.
  const lost = new Int32Array(points.length + 1)
  const paths = new Map<number, { versions: number; bytes: number }>()
  if (choice.go.length > 0) {
    for await (const page of replacedContents(store, contents.seen.edit, pause)) {
      for (const { seq, path, content, since } of page) {
        if (going[content] === 0) continue
        if (forgotten && !forgotten.has(path)) continue
        lost[firstAt(points, since)]!++
        lost[firstAt(points, seq)]!--
        const one = paths.get(path) ?? { versions: 0, bytes: 0 }
        paths.set(path, one)
        one.versions++
        if (contents.last[content] === seq) one.bytes += contents.packed[content] as number
      }
    }
  }
  for (const { path, content } of forgotten ? headContents(store) : []) {
    if (going[content] === 0 || !forgotten?.has(path)) continue
    const one = paths.get(path) ?? { versions: 0, bytes: 0 }
    paths.set(path, { versions: one.versions + 1, bytes: one.bytes + (contents.packed[content] as number) })
  }
  // Points lose no more than what they would not hold if it had never been kept: they stay, and restores say what is missing.
  if (forgotten) return { ...plan, rev, checkpoints: [], paths }
  for (let i = 1; i < lost.length; i++) lost[i]! += lost[i - 1] as number
  const checkpoints = points.filter((point, i) => (lost[i] as number) > 0 && !kept.has(point.seq)).reverse()
  return { ...plan, rev, checkpoints: checkpoints.map(({ seq: _, ...one }) => one), paths }
}

/** Index of the first point at `seq` or later. */
function firstAt(points: readonly { readonly seq: number }[], seq: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle] as { seq: number }).seq < seq) low = middle + 1
    else high = middle
  }
  return low
}
