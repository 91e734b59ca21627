/** Maps selected hunks of a diff to the hunks of the Edits they consist of. */
import { DriftlineError } from '../../../../contract/errors.ts'
import { hunkRefsOfDiff } from '../../diff/provenance.ts'
import type { HunkRef } from '../../log/weave.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { Head } from '../../store/paths.ts'

/**
 * The hunks of `own`, the Edits to undo, that make up the hunks `numbers` (1-based) of the diff of `shown`. Throws
 * UnknownTarget for a number that the diff does not have.
 */
export function selectedHunks(
  store: Store,
  head: Head,
  shown: readonly EditRow[],
  own: readonly EditRow[],
  numbers: readonly number[]
): HunkRef[] {
  const newestFirst = shown.filter((edit) => edit.path === head.id).sort((a, b) => b.seq - a.seq)
  const hunks = hunkRefsOfDiff(store, head, newestFirst)
  const seqs = new Set(own.map((edit) => edit.seq))
  return numbers.flatMap((n) => {
    const refs = hunks?.[n - 1]
    if (!refs)
      throw new DriftlineError(
        'UnknownTarget',
        `${head.path} has no change ${n} that can be undone separately. "driftline diff" lists its changes; the whole file can be undone.`,
        { path: head.path, hunk: n }
      )
    return refs.filter((ref) => seqs.has(ref.seq))
  })
}
