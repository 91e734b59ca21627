/** [ST-2] Lets go of what no kept position needs: plans without a transaction, then empties in short ones that look again. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Sweep } from '../../../contract/storage.ts'
import { coverageState } from '../capture/coverage.ts'
import { readRev, write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import type { Bounds } from './bounds.ts'
import { type Choice, choose } from './choose.ts'
import { type Contents, type Forgotten, headContents, type Pause, readContents } from './contents.ts'
import { empty } from './empty.ts'
import { eraseDeleted, giveBack } from './give-back.ts'
import { markNeeded, replacedContents } from './needed.ts'
import { retentionFacts } from './positions.ts'
import { cutoffOf, retainedPositions } from './retained.ts'
import { deadStreams, dropStream } from './streams.ts'
import { sweptAlone } from './sweeper.ts'
import { rememberUsage } from './usage.ts'

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

const COPYING = 'The first copy is under way; nothing is let go of before it is complete.'
const BUSY = 'Another sweep of this history is under way; nothing was done by this one.'
const LINES = 200

/** Lists what goes, and lets go of it unless `dryRun`. Never takes the workspace's lock: captures go on beside it. */
export async function sweep(store: Store, options: SweepOptions): Promise<Sweep> {
  const nothing = (note: string): Sweep => ({
    freedBytes: 0,
    pruned: [],
    versions: 0,
    checkpoints: [],
    historyBytes: 0,
    budget: options.budget,
    note
  })
  if (coverageState(store) === 'copying') return nothing(COPYING)
  if (options.dryRun) {
    const plan = await planSweep(store, options)
    const dead = options.forgets ? [] : deadStreams(store, options.now, true)
    const answer = withDead(told(store, plan, options), dead.length)
    return { ...answer, freedBytes: plan.choice.freed + dead.reduce((sum, one) => sum + one.size, 0) }
  }
  const done = await sweptAlone(store, async () => {
    const before = pageBytes(store)
    const plan = await planSweep(store, options)
    const dead = options.forgets ? [] : deadStreams(store, options.now, false)
    for (const { id } of dead) dropStream(store, id)
    // Before the first of it goes: killed in between, the rest of it still is done.
    if (options.forgets) write(store.db, () => eraseDeleted(store))
    const freed = await empty(store, plan, options)
    rememberUsage(store, plan.contents)
    const later = await giveBack(store, options.pause)
    const answer = withDead(told(store, plan, options), dead.length)
    return later === ''
      ? { ...answer, freedBytes: Math.max(0, before - pageBytes(store)) }
      : { ...answer, freedBytes: freed, note: answer.note || later }
  })
  return done ?? nothing(BUSY)
}

/** Bytes of the file as it is when the write-ahead log is part of it. */
function pageBytes({ db }: Store): number {
  const number = (pragma: string): number => db.pragma(pragma, { simple: true }) as number
  return number('page_count') * number('page_size')
}

async function planSweep(store: Store, options: SweepOptions): Promise<SweepPlan> {
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
  const checkpoints = points.filter((one, i) => (lost[i] as number) > 0 && !kept.has(one.seq)).reverse()
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

function withDead(answer: Sweep, dead: number): Sweep {
  return dead === 0 ? answer : { ...answer, pruned: [...answer.pruned, `${dead} contents that were never finished`] }
}

function told(store: Store, { choice, checkpoints, contents, paths }: SweepPlan, options: SweepOptions): Sweep {
  const name = store.db.prepare('SELECT name FROM path WHERE id = ?').pluck()
  const largest = [...paths].sort((a, b) => b[1].bytes - a[1].bytes)
  const states = (n: number): string => `${n} ${options.forgets ? 'kept' : 'older'} ${n === 1 ? 'state' : 'states'}`
  const lines = largest.slice(0, LINES).map(([path, { versions }]) => `${name.get(path)}: ${states(versions)}`)
  if (largest.length > LINES) lines.push(`${largest.length - LINES} more files`)
  const loose = options.forgets ? 0 : choice.go.filter((id) => contents.last[id] === 0).length
  if (loose > 0) lines.push(`${loose} contents nothing refers to`)
  const over = options.forgets ? 0 : choice.left - options.budget
  return {
    freedBytes: 0,
    pruned: lines,
    versions: choice.go.length,
    checkpoints: checkpoints.slice(0, 500),
    historyBytes: choice.left,
    budget: options.budget,
    note:
      over > 0
        ? `History stays ${Math.ceil(over / 1e6)} MB over its budget: pins, guards and the runs of the last ${options.days} days need it. A larger budget or fewer days would end that.`
        : ''
  }
}
