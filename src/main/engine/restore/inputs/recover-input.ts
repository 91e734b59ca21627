/** The input of finishing or undoing an interrupted restore, read from its journal. */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Resolutions } from '../../../../contract/restore.ts'
import type { Merge } from '../../diff/provenance.ts'
import { editsInForce } from '../../log/chain.ts'
import { findCheckpoint } from '../../store/checkpoints.ts'
import type { Store } from '../../store/open-store.ts'
import { itemsOfRestore, type RestoreItemRow } from '../../store/restore-items.ts'
import { omissionsOf } from '../../store/restore-omissions.ts'
import { blockingRestore } from '../../store/restores.ts'
import { writerOf } from '../../store/writers.ts'
import { defaultInput, type RequestedPath, type RequestInput } from './request-input.ts'

/**
 * Requires that the restore is settled: items it wrote are its Edits. Undo returns them to their old version, Finish writes the
 * remaining ones. Edits after the guard that are not the restore's are conflicts.
 */
export function recoverInput(store: Store, how: 'finish' | 'undo', resolutions: Resolutions): RequestInput {
  const interrupted = blockingRestore(store)
  if (!interrupted?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const { id } = interrupted
  const guardSeq = findCheckpoint(store, interrupted.guard)?.seq ?? 0
  const paths: RequestedPath[] = []
  for (const item of itemsOfRestore(store, id)) {
    const head = records.head(item.path)
    if (item.action === 'keep' || !head || head.version === null) continue
    const written = records.editsOf(head.id).find((edit) => edit.restore === id)
    const foreign = editsInForce(head.edit, records).filter((edit) => edit.seq > guardSeq)
    const merge = how === 'finish' ? journaledMerge(store, id, item) : null
    const baseOfUndo = written ? (records.editBefore(head.id, written.seq)?.seq ?? 0) : head.edit
    paths.push({
      path: item.path,
      now: records.version(head.version),
      target: records.version(how === 'finish' ? item.after : item.before),
      base: how === 'finish' ? item.base : baseOfUndo,
      foreign: foreign.map((edit) => writerOf(store, edit)),
      foreignCause: 'after-interruption',
      merge,
      own: written ? records.version(written.after) : null,
      onlyByMerge: merge !== null
    })
  }
  return {
    ...defaultInput(store, resolutions),
    paths,
    title: interrupted.title,
    target: id,
    targetAt: interrupted.at,
    toSeq: how === 'finish' ? interrupted.to_seq : null,
    undoes: how === 'undo' ? id : null,
    finishes: how === 'finish' ? id : null,
    whole: true
  }
}

/** The merge that the restore was about to write, or null for a plain item. */
function journaledMerge(store: Store, restore: string, item: RestoreItemRow): Merge | null {
  const omits = omissionsOf(store, restore, item.path)
  const version = store.records.version(item.after)
  if (omits.length === 0 || version.content === null) return null
  return {
    version,
    bytes: store.content.get(version.content),
    omits
  }
}
