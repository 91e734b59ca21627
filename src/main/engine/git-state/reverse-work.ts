/** What undoes items of git's state that were written. */
import type { GitWork } from '../store/restore-git.ts'
import { reverseReplacement } from './replace-repository.ts'

/** What undoes the items, the last one first. `aside`: where a repository that is in the place of one is moved. */
export function reverseWork(work: readonly GitWork[], aside: string): GitWork[] {
  return work.toReversed().map(({ from, to, log, modes, repository, parts, needs: _, ...item }) => ({
    ...item,
    from: to,
    to: from,
    ...(parts ? { parts: reverseWork(parts, aside) } : {}),
    ...(modes ? { modes: { from: modes.to, to: modes.from } } : {}),
    ...(log ? { log: { from: log.to, to: log.from } } : {}),
    ...(repository ? { repository: reverseReplacement(repository, aside) } : {})
  }))
}
