/** The chosen changes of a diff, as the hunks of the Edits they came from. */
import { DriftlineError } from '../../../../contract/errors.ts'
import type { HunkRef } from '../../log/weave.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Head } from '../../store/heads.ts'
import type { Store } from '../../store/open-store.ts'
import { hunkRefsOfDiff } from '../provenance.ts'

/** The parts of `mine` that make up the wanted changes of the diff of `own`, 1-based. Throws UnknownTarget for one that is not there. */
export function wantedHunks(
  store: Store,
  head: Head,
  own: readonly EditRow[],
  mine: readonly EditRow[],
  wanted: readonly number[]
): HunkRef[] {
  const changes = hunkRefsOfDiff(
    store,
    head,
    own.filter((edit) => edit.path === head.id).sort((a, b) => b.seq - a.seq)
  )
  const inForce = new Set(mine.map((edit) => edit.seq))
  return wanted.flatMap((n) => {
    const refs = changes?.[n - 1]
    if (!refs)
      throw new DriftlineError(
        'UnknownTarget',
        `${head.path} has no change ${n} that can be taken back by itself. "driftline diff" shows its changes; the file as a whole can be taken back.`,
        { path: head.path, hunk: n }
      )
    return refs.filter((ref) => inForce.has(ref.seq))
  })
}
