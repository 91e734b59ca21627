/** The runs whose processes the brake has frozen. */
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../store/open-store.ts'
import { createFreezer, type Frozen } from './frozen.ts'
import { processesOfRun } from './suspects.ts'

export type FrozenRuns = ReturnType<typeof createFrozenRuns>

/** `context` is used only after this has returned. */
export function createFrozenRuns(context: { readonly store: Store }, clock: Clock) {
  const freezer = createFreezer()
  const frozen = new Map<string, Frozen>()
  return {
    /** What provably belongs to the run; once. */
    freeze: (run: string): void => {
      if (frozen.has(run)) return
      const find = (fast: boolean) => processesOfRun(context.store, run, clock.now(), fast)
      frozen.set(
        run,
        freezer.freeze(find(true).processes, () => find(false))
      )
    },
    thaw: (run: string): void => {
      frozen.get(run)?.resume()
      frozen.delete(run)
    },
    end: (run: string): void => frozen.get(run)?.end(),
    pids: (run: string): readonly number[] => frozen.get(run)?.pids() ?? [],
    runs: (): string[] => [...frozen.keys()],
    /** Resolves when all that was found is frozen. */
    settled: () => Promise.all([...frozen.values()].map(({ settled }) => settled)),
    /** A run may have to be frozen soon. */
    keepReady: freezer.keepReady,
    close: freezer.close
  }
}
