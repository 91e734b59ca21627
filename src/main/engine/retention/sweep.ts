/** [ST-2] Lets go of what no kept position needs: plans without a transaction, then empties in short ones that look again. */
import type { Sweep } from '../../../contract/storage.ts'
import { coverageState } from '../capture/coverage.ts'
import { write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { empty } from './empty.ts'
import { eraseDeleted, giveBack } from './give-back.ts'
import { planSweep, type SweepOptions, type SweepPlan } from './plan-sweep.ts'
import { deadStreams, dropStream } from './streams.ts'
import { sweptAlone } from './sweeper.ts'
import { rememberUsage } from './usage.ts'

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
