/** [LG-4] A run's change of a path that others edited in between, as the run's own: from the text without the run. */
import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import { textWithoutRun } from '../restore/provenance.ts'
import type { Store } from '../store/open-store.ts'
import type { MadeVersion } from './counted.ts'
import type { PathChange } from './types.ts'

/**
 * The change with others' lines on both sides; null when they cannot be told apart, and then the change holds them too.
 * `own`: the run's or turn's Edits.
 */
export function ownChange(store: Store, own: ReadonlySet<number>, change: PathChange): PathChange | null {
  const head = store.records.head(change.path)
  if (!change.interleaved || !head || change.before.kind !== 'file' || change.after.kind !== 'file') return null
  const bytes = textWithoutRun(
    store,
    change.path,
    store.records
      .editsOf(head.id)
      .filter((edit) => own.has(edit.seq))
      .reverse()
  )
  return bytes ? { ...change, before: madeVersion(change.before, bytes) } : null
}

/** A state that never was on disk, otherwise as `like`. */
export function madeVersion(like: FileVersion, bytes: Buffer): MadeVersion {
  const { kind, mode, target, notStored } = like
  return {
    kind,
    mode,
    target,
    notStored,
    size: bytes.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
    bytes
  }
}
