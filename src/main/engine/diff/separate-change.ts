/** [LG-4] Separates a run's change of a path from edits that others made in between. */
import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import type { Store } from '../store/open-store.ts'
import type { SynthesizedVersion } from './describe-changes.ts'
import { textWithoutRun } from './provenance.ts'
import type { PathChange } from './types.ts'

/**
 * The change with the others' lines on both sides, so that its diff shows only the run's lines. Null when the change is not
 * interleaved or cannot be separated. `own`: the Edits of the run or turn.
 */
export function separateOwnChange(store: Store, own: ReadonlySet<number>, change: PathChange): PathChange | null {
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
  return bytes ? { ...change, before: synthesizeVersion(change.before, bytes) } : null
}

/** A version with the given content and everything else as in `like`. */
export function synthesizeVersion(like: FileVersion, bytes: Buffer): SynthesizedVersion {
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
