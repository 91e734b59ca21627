/** The stored stops: which runs wait for a person, and what they deleted. */
import type { StoppedRun } from '../../../contract/brake.ts'
import { brakeStops, type StoredStop } from '../store/brake-stops.ts'
import { lossesAfter } from '../store/losses.ts'
import type { Store } from '../store/open-store.ts'
import { findRun } from '../store/runs.ts'
import { isInGeneratedFolder } from './generated.ts'
import { commonFolder } from './judge.ts'

/** A run that has ended is listed this long, ms. */
const MAX_AGE_MS = 7 * 24 * 3600_000

interface StopsContext {
  readonly store: Store
  readonly rules: { ignoresFile(path: string): boolean }
  /** ms UTC */
  now(): number
}

/** Stops that wait for a person, oldest first. `pidsOf`: the processes of a run that are frozen now. */
export function stoppedRuns(context: StopsContext, pidsOf: (run: string) => readonly number[]): StoppedRun[] {
  return brakeStops(context.store).flatMap((stop) => toStopped(context, stop, pidsOf) ?? [])
}

function toStopped(
  context: StopsContext,
  stop: StoredStop,
  pidsOf: (run: string) => readonly number[]
): StoppedRun | null {
  const { store, now } = context
  const row = stop.state === 'held' ? findRun(store, stop.run) : null
  if (!row) return null
  const live = row.state === 'live'
  const lost = lostFiles(context, stop)
  // Everything is back, by whatever restore.
  if (!live && (lost.length === 0 || now() - stop.at > MAX_AGE_MS)) return null
  return {
    run: stop.run,
    agent: row.agent,
    title: row.name,
    deleted: lost.length,
    folder: commonFolder(lost),
    since: stop.at,
    pids: pidsOf(stop.run),
    live,
    from: stop.from
  }
}

/** The files that a stopped run lost and that are still gone. */
function lostFiles({ store, rules }: StopsContext, { run, from }: StoredStop): string[] {
  return lossesAfter(store, from)
    .filter((row) => row.run === run && row.moved === 0 && row.made === 0)
    .filter(({ path }) => !rules.ignoresFile(path) && !isInGeneratedFolder(path))
    .map(({ path }) => path)
}
