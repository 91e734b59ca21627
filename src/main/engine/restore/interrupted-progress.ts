/** Progress of an interrupted restore, for the status. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { observe } from '../capture/observe.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { sameVersion } from '../log/same-version.ts'
import type { Store } from '../store/open-store.ts'
import { itemsOfRestore } from '../store/restore-items.ts'
import { blockingRestore } from '../store/restores.ts'

/** The number of its paths that are on disk as it would have written them; null when no restore was interrupted. */
export function interruptedRestore({
  store,
  root
}: {
  readonly store: Store
  readonly root: string
}): WorkspaceStatus['interruptedRestore'] {
  const row = blockingRestore(store)
  if (!row?.abandoned) return null
  const items = itemsOfRestore(store, row.id).filter((item) => item.action !== 'keep')
  const fs = createWorkspaceFs(root)
  const written = items.filter((item) =>
    sameVersion(
      store.records.version(item.after),
      observe(fs, store.content, item.path, { limit: Number.POSITIVE_INFINITY, folderReason: null }).version
    )
  ).length
  return { id: row.id, written, total: items.length }
}
