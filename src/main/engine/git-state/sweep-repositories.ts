/** The sweep of the kept copies of git's state, in all repositories of one recorded folder. */
import { lastStateWith } from '../store/git-store.ts'
import type { GitKeeper } from './git-keeper.ts'
import { evictObjects, type KeptObjects } from './kept-objects.ts'
import type { RepositoryKeepers } from './repository-keepers.ts'
import type { RepositoryList } from './repository-list.ts'

/**
 * Deletes what git deleted or replaced before `before` (ms UTC), and the oldest objects beyond `budget` bytes: of all of which
 * something is kept, also where that is neither captured nor listed any more. A failure ends it after the others.
 */
export async function sweepRepositories(
  keepers: RepositoryKeepers,
  list: RepositoryList,
  before: number,
  budget: number
): Promise<void> {
  const current = keepers.all()
  const unlisted = list
    .kept()
    .filter((path) => !keepers.below.has(path))
    .map(keepers.create)
  const kept: KeptObjects[] = []
  const failures: unknown[] = []
  for (const keeper of [...current, ...unlisted])
    try {
      const objects = await keeper.sweep(before)
      if (objects) kept.push(objects)
      if (keeper.path !== '' && isEmpty(keeper)) {
        // In this order: what a killed sweep leaves is found by the next one.
        keepers.deleteKept(keeper)
        list.remove(keeper.path)
      }
    } catch (error) {
      failures.push(error)
    } finally {
      // Tests of a project may make and delete thousands: their databases are not open at the same time.
      if (keeper !== keepers.own && keepers.below.get(keeper.path) !== keeper) keeper.close()
    }
  evictObjects(kept, before, budget)
  if (failures.length > 0) throw failures[0]
}

/** The repository went longer ago than retention reaches, or there never was one. */
function isEmpty(keeper: GitKeeper): boolean {
  const states = keeper.store()
  return keeper.gitDir() === null && !keeper.hasAsides() && !(states && lastStateWith(states, 'HEAD') !== null)
}
