/** The input of a recovery, read from the journal of the interrupted restore. */
import { DriftlineError } from '../../../../contract/errors.ts'
import type { Merge } from '../../diff/provenance.ts'
import { editsInForce } from '../../log/chain.ts'
import { findCheckpoint } from '../../store/checkpoints.ts'
import type { Store } from '../../store/open-store.ts'
import { itemsOfRestore, type RestoreItemRow } from '../../store/restore-items.ts'
import { omissionsOf } from '../../store/restore-omissions.ts'
import { blockingRestore } from '../../store/restores.ts'
import { writersOf } from '../../store/writers.ts'
import type { KindInput, RequestedPath } from './request-input.ts'

/**
 * Finishing or undoing an interrupted restore, read from its journal. Requires that the restore is settled: items it
 * wrote are its edits. Undo returns them to their old version, Finish writes the remaining ones. Edits after the guard
 * that are not the restore's are conflicts.
 */
export function recoverInput(store: Store, how: 'finish' | 'undo'): KindInput {
  const interrupted = blockingRestore(store)
  if (!interrupted?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const { id } = interrupted
  const guardSeq = findCheckpoint(store, interrupted.guard)?.seq ?? 0
  const paths: RequestedPath[] = []
  const items = itemsOfRestore(store, id)
  const movedTo = new Map(items.flatMap(({ path, movedFrom }) => (movedFrom === null ? [] : [[movedFrom, path]])))
  for (const item of items) {
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
      foreign: writersOf(store, foreign),
      foreignCause: 'after-interruption',
      merge,
      own: written ? records.version(written.after) : null,
      onlyByMerge: merge !== null,
      // Each half of a move may be written already.
      move: null,
      renamedFrom: how === 'finish' ? (item.movedFrom ?? undefined) : movedTo.get(item.path)
    })
  }
  return {
    paths,
    title: interrupted.title,
    target: id,
    targetAt: interrupted.at,
    toSeq: how === 'finish' ? interrupted.to_seq : null,
    undoes: how === 'undo' ? id : null,
    finishes: how === 'finish' ? id : null
  }
}

/** The merge that the restore was about to write, or null for a plain item. */
function journaledMerge(store: Store, restore: string, item: RestoreItemRow): Merge | null {
  const omits = omissionsOf(store, restore, item.path)
  const version = store.records.version(item.after)
  if (omits.length === 0 || version.content === null) return null
  return { version, bytes: store.content.get(version.content, version.size), omits }
}
