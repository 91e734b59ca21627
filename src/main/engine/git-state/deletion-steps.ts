/** Git and `rm` delete file by file, so that states of which only a part is left may be kept. */
import { type GitStateRow, type GitStore, gitFilesOf, gitStates } from '../store/git-store.ts'

/** The pauses between the states of one deletion are shorter, ms. */
const LONGEST_PAUSE = 10_000

/** The last state before the deletion that ended with the state `end`: before the first of those that only deleted such files. */
export function stateBeforeDeletion(
  store: GitStore,
  end: GitStateRow,
  isDeleted: (path: string) => boolean = () => true
): number {
  let [first, { at }] = [end.id, end]
  for (const state of gitStates(store).reverse()) {
    if (state.id >= first) continue
    const isPart = gitFilesOf(store, state.id).every(({ path, hash }) => hash === null || !isDeleted(path))
    if (!isPart || at - state.at > LONGEST_PAUSE) break
    first = state.id
    at = state.at
  }
  return first - 1
}
