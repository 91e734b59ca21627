/** [WT-3] The input of a plan that writes files of a removed worktree into the main folder. */
import type { RestoreRequest } from '../../../../contract/restore.ts'
import { isWithinAny } from '../../files/paths.ts'
import { editsInForce } from '../../log/chain.ts'
import type { WorktreeFile } from '../../store/import-files.ts'
import type { Store } from '../../store/open-store.ts'
import { positionForWorktree } from '../../store/shared-content.ts'
import { versionAt } from '../../store/version-at.ts'
import { writersOf } from '../../store/writers.ts'
import type { RequestInput } from './request-input.ts'

/** A file that the main folder changed since the worktree was made is a conflict. */
export function worktreeInput(
  store: Store,
  { worktree, paths }: RestoreRequest & { readonly kind: 'worktree' },
  files: readonly WorktreeFile[]
): Pick<RequestInput, 'paths' | 'title' | 'target' | 'targetAt'> {
  const since = positionForWorktree(store, worktree) ?? 0
  const chosen = paths && new Set(paths)
  const selected = files.filter(({ path }) => !chosen || isWithinAny(path, chosen))
  return {
    paths: selected.map(({ path, version }) => {
      const head = store.records.head(path)
      const changes = head ? editsInForce(head.edit, store.records).filter(({ seq }) => seq > since) : []
      return {
        path,
        now: versionAt(store, path, null),
        target: version,
        // No edit of this history made it.
        base: 0,
        foreign: writersOf(store, changes),
        foreignCause: 'outside-after-target',
        merge: null,
        own: null,
        onlyByMerge: false,
        move: null
      }
    }),
    title: 'the removed worktree',
    target: worktree,
    targetAt: null
  }
}
