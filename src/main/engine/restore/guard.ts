/** What has to be true and stored before a restore's journal is written. */
import { DriftlineError } from '../../../contract/errors.ts'
import { observe } from '../capture/observe.ts'
import { write } from '../db/transaction.ts'
import { createInside } from '../files/inside.ts'
import { sameSignature } from '../files/signature.ts'
import type { Head } from '../store/heads.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { openRestores } from './journal.ts'
import type { PlannedItem } from './plan.ts'

/**
 * [RS-2] Another process may have recorded or begun something since the plan was made. Call inside the journal's
 * transaction, where nobody can come in between any more. `kept`: versions that only gained their content since.
 */
export function refuseIfOvertaken(
  { store }: Recorder,
  work: readonly PlannedItem[],
  kept: ReadonlyMap<string, VersionId>,
  recovered: readonly string[]
): void {
  const restore = openRestores(store).find((row) => !recovered.includes(row.id))
  if (restore) {
    throw new DriftlineError(
      'Refused',
      'Another restore began at the same moment. Nothing was written by this one; try again when that one is done.',
      { restore: restore.id }
    )
  }
  const gone = work.find((item) => 'id' in item.after && isPruned(store, item.after as StoredVersion))
  if (gone)
    throw new DriftlineError(
      'PlanStale',
      `What ${gone.path} would go back to was let go of since the preview. Nothing was written. Look at the new preview and decide again.`,
      { paths: [gone.path] }
    )
  const changed = work.filter((item) => {
    const planned =
      kept.get(item.path) ?? ('id' in item.before ? (item.before as StoredVersion).id : store.records.absent)
    return (store.records.head(item.path)?.version ?? store.records.absent) !== planned
  })
  if (changed.length > 0) throw changedSince(changed)
}

function changedSince(items: readonly PlannedItem[]): DriftlineError {
  return new DriftlineError(
    'PlanStale',
    `${items.length === 1 ? `${items[0]?.path} changed` : `${items.length} files changed`} since the preview. Nothing was written. Look at the new preview and decide again.`,
    { paths: items.slice(0, 100).map((item) => item.path) }
  )
}

function isPruned({ records }: Recorder['store'], { id }: StoredVersion): boolean {
  return records.version(id).notStored === 'pruned'
}

/** [RS-9] What will be overwritten or deleted is in the store first, whatever its size. Returns the versions made for that. */
export function storeWhatIsReplaced(recorder: Recorder, work: readonly PlannedItem[]): Map<string, VersionId> {
  const { store, root } = recorder
  const kept = new Map<string, VersionId>()
  const inside = createInside(root)
  for (const item of work) {
    if (item.before.kind !== 'file' || item.before.notStored === null || item.note === 'cannot be undone') continue
    const seen = recorder.now()
    const observation = observe(inside, store.content, item.path, {
      limit: Number.POSITIVE_INFINITY,
      folderReason: null
    })
    if (observation.version.notStored !== null || observation.version.kind !== 'file') throw notKept(item)
    write(store.db, () => {
      // [ST-2] A sweep of another process may have come between storing it and now.
      if (
        observation.content !== null &&
        store.content.find(Buffer.from(observation.version.hash as string, 'hex')) !== observation.content
      )
        throw notKept(item)
      const head = store.records.head(item.path) as Head
      // [CK-1] Only what is surely the recorded state may fill it: anything else was never there at any position.
      if (!head.signature || !observation.signature || !sameSignature(head.signature, observation.signature))
        throw changedSince([item])
      const content = observation.bytes
        ? store.content.put(observation.bytes, Buffer.from(observation.version.hash as string, 'hex'), null)
        : observation.content
      // The same state, now with its content: not an Edit.
      const version = store.records.addVersion(observation.version, content)
      store.records.setHead(head.id, version, 0, observation.signature, seen)
      kept.set(item.path, version)
    })
  }
  return kept
}

function notKept({ path }: PlannedItem): DriftlineError {
  return new DriftlineError('Refused', `What is in ${path} now could not be kept first. Nothing was written.`, { path })
}
