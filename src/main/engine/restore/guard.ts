/**
 * The conditions for writing a restore's journal: the plan is still valid, and everything it will replace is stored (RS-9), so
 * that the guard checkpoint can restore it.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { observe } from '../capture/observe.ts'
import type { RecordingContext } from '../capture/reconcile.ts'
import { sameSignature } from '../files/signature.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { unfinishedRestores } from '../store/restores.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import type { PlannedItem } from './plan.ts'
import { changedSincePreview } from './preflight.ts'

/**
 * [RS-2] Throws when another process has recorded or started something since the plan was made. In the journal's
 * transaction: no other process can write between this check and the journal. `stored`: by path, the versions that
 * `storeReplacedContent` created; they are no change.
 */
export function refuseIfStale(
  tx: Writable<Store>,
  work: readonly PlannedItem[],
  stored: ReadonlyMap<string, VersionId>,
  recovered: readonly string[]
): void {
  const restore = unfinishedRestores(tx).find((row) => !recovered.includes(row.id))
  if (restore) {
    throw new DriftlineError(
      'Refused',
      'Another restore has just started. This one wrote nothing; retry when the other is done.',
      { restore: restore.id }
    )
  }
  const evicted = work.find((item) => 'id' in item.after && isEvicted(tx, item.after as StoredVersion))
  if (evicted)
    throw new DriftlineError(
      'PlanStale',
      `The target version of ${evicted.path} was removed to save space since the preview. Nothing was written. Review the new preview.`,
      { paths: [evicted.path] }
    )
  const changed = work.filter((item) => {
    const planned =
      stored.get(item.path) ?? ('id' in item.before ? (item.before as StoredVersion).id : tx.records.absent)
    return (tx.records.head(item.path)?.version ?? tx.records.absent) !== planned
  })
  if (changed.length > 0) throw changedSincePreview(changed.map((item) => item.path))
}

function isEvicted({ records }: Store, { id }: StoredVersion): boolean {
  return records.version(id).notStored === 'pruned'
}

/**
 * [RS-9] Stores the content of every file that will be overwritten or deleted, whatever its size, if it is not stored yet. Returns
 * the versions created for that, by path. Throws Refused for content that cannot be stored, PlanStale for a file that changed.
 */
export function storeReplacedContent(context: RecordingContext, work: readonly PlannedItem[]): Map<string, VersionId> {
  const { store, root } = context
  const stored = new Map<string, VersionId>()
  const fs = createWorkspaceFs(root)
  for (const item of work) {
    if (item.before.kind !== 'file' || item.before.notStored === null || !item.storable) continue
    const observedAt = context.now()
    const observation = observe(fs, store.content, item.path, {
      limit: Number.POSITIVE_INFINITY,
      folderReason: null
    })
    if (observation.version.notStored !== null || observation.version.kind !== 'file') throw cannotStore(item)
    transact(store, ({ records, content }) => {
      // [ST-2] A sweep in another process may have evicted the content again before this transaction.
      if (
        observation.content !== null &&
        content.find(Buffer.from(observation.version.hash as string, 'hex')) !== observation.content
      )
        throw cannotStore(item)
      const head = records.head(item.path) as Head
      // [CK-1] Only the very file that was recorded may supply the content: a later one was part of no position.
      if (!head.signature || !observation.signature || !sameSignature(head.signature, observation.signature))
        throw changedSincePreview([item.path])
      const contentId = observation.bytes
        ? content.put(observation.bytes, Buffer.from(observation.version.hash as string, 'hex'), null)
        : observation.content
      // The same version, now with content: no Edit, so the head keeps its position.
      const version = records.addVersion(observation.version, contentId)
      records.setHead(head.id, version, 0, observation.signature, observedAt)
      stored.set(item.path, version)
    })
  }
  return stored
}

function cannotStore({ path }: PlannedItem): DriftlineError {
  return new DriftlineError('Refused', `Couldn't store the current content of ${path} first. Nothing was written.`, {
    path
  })
}
