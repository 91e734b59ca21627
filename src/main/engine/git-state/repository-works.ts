/** What a restore writes of git's own state, each in the repository that it is of. */
import type { GitWork, WorkState } from '../store/restore-git.ts'
import { refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { inWritingOrder, writeWork } from './git-work.ts'
import { asideOf } from './replace-repository.ts'
import type { Repositories } from './repositories.ts'
import { reverseWork } from './reverse-work.ts'
import { statesOfWork } from './work-state.ts'

/** The works of one repository, in their order. */
export interface RepositoryWork {
  readonly keeper: GitKeeper
  readonly work: readonly GitWork[]
}

export function createWorks(repositories: Pick<Repositories, 'at'>) {
  const groups = (work: readonly GitWork[]) => Map.groupBy(work, ({ folder = '' }) => folder)
  const keeperOf = ({ folder = '' }: GitWork): GitKeeper => {
    const keeper = repositories.at(folder)
    if (keeper) return keeper
    throw refused(`The repository in ${folder} is no longer kept, so it was not written.`, { folder })
  }
  return {
    /** Without those that are no longer kept. */
    byRepository: (work: readonly GitWork[]): RepositoryWork[] =>
      [...groups(work)].flatMap(([folder, each]) => {
        const keeper = repositories.at(folder)
        return keeper ? [{ keeper, work: each }] : []
      }),
    inOrder: (work: readonly GitWork[]): GitWork[] => [...groups(work).values()].flatMap(inWritingOrder),
    /** The last one first. Those that are no longer kept, too: `statesOf` says it. */
    reverse: (work: readonly GitWork[]): GitWork[] =>
      work.toReversed().flatMap((each) => {
        const keeper = repositories.at(each.folder ?? '')
        return reverseWork([each], keeper ? asideOf(keeper) : '')
      }),
    statesOf: (work: readonly GitWork[]): WorkState[] => {
      const states = new Map<GitWork, WorkState>()
      for (const [folder, each] of groups(work)) {
        const keeper = repositories.at(folder)
        const found = keeper && statesOfWork(keeper, each)
        each.forEach((item, n) => void states.set(item, found?.[n] ?? 'evicted'))
      }
      return work.map((item) => states.get(item) ?? 'evicted')
    },
    /** Throws Refused, with nothing of the item changed. */
    write: async (work: GitWork): Promise<void> => writeWork(keeperOf(work), work)
  }
}
