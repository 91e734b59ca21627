/**
 * [RV-3] What a person decided about the changes of a session, and no message to its agent has yet: read from the
 * restores in force, so an undo that was undone before a message named it is no decision.
 */
import type { Decision, DecisionKind } from '../../../contract/review.ts'
import { readContent } from '../diff/describe-changes.ts'
import { encodingsOfLines } from '../diff/line-diff.ts'
import { formatHunks } from '../diff/patch.ts'
import { looksSecret } from '../files/secret-path.ts'
import type { Store } from '../store/open-store.ts'
import { type ChangeOwner, type RestoredFile, restoredFilesOf } from '../store/restore-items.ts'
import { findRestore, type RestoreRow, restoresAfter } from '../store/restores.ts'
import { sentUpTo } from '../store/reviews.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'

/** Older restores than so many, and further files of one, are left out. */
const MOST_RESTORES = 200
const MOST_FILES = 200
/** Longer changes are named, not shown. */
const MOST_BYTES = 100_000
const MOST_LINES = 40
/** More do not fit into a message, and each is a comparison of two texts. */
const MOST_HUNKS = 50

/** Oldest first, of restores made at `since` or later, ms UTC. */
export function unsentDecisions(store: Store, owner: ChangeOwner, since: number): Decision[] {
  const sent = 'run' in owner ? 0 : sentUpTo(store, owner.session)
  const hunkOf = createHunkReader(store)
  return restoresAfter(store, sent, since, MOST_RESTORES)
    .reverse()
    .flatMap((row) => decisionsOf(store, row, owner, sent, hunkOf))
}

type HunkOf = (file: RestoredFile) => string | null

function createHunkReader(store: Store): HunkOf {
  let left = MOST_HUNKS
  return (file) => (left-- > 0 ? readHunk(store, file) : null)
}

function decisionsOf(store: Store, row: RestoreRow, owner: ChangeOwner, sent: number, hunkOf: HunkOf): Decision[] {
  const decided = decidedBy(store, row, sent)
  if (!decided) return []
  const { made, kind } = decided
  const from = made.act === 'restore' ? (made.to_seq ?? 0) : startOfRun(store, made.target, owner)
  if (from === null) return []
  return restoredFilesOf(store, made.id, owner, { from, limit: MOST_FILES }).map((file) => ({
    kind: kind === 'undone' && file.merge === 1 ? 'merged' : kind,
    run: file.run,
    path: file.path,
    hunk: kind === 'redone' ? null : hunkOf(file),
    at: row.at
  }))
}

/** The restore whose files a decision is about, and what it did to them; null when it is no decision. */
function decidedBy(store: Store, row: RestoreRow, sent: number): { made: RestoreRow; kind: DecisionKind } | null {
  if (row.act === 'restore') return { made: row, kind: 'restored' }
  if (row.act === 'undo-run') return { made: row, kind: 'undone' }
  if (row.act !== 'undo' && row.act !== 'redo') return null
  const undone = row.undoes === null ? null : findRestore(store, row.undoes)
  // An agent that never got it needs no correction.
  if (!undone || undone.n > sent) return null
  if (row.act === 'undo') return decidedBy(store, undone, sent) && { made: undone, kind: 'redone' }
  const made = undone.undoes === null ? null : findRestore(store, undone.undoes)
  return made && decidedBy(store, made, sent)
}

/** The position before a run or turn of the owner; null for those of others. */
function startOfRun(store: Store, target: string, owner: ChangeOwner): number | null {
  const { run, seq } = resolveTarget(store, target)
  const isOwn = 'run' in owner ? run === owner.run : run !== null && findRun(store, run)?.session === owner.session
  return isOwn ? seq : null
}

function readHunk(store: Store, file: RestoredFile): string | null {
  const versions = [file.before, file.after].map(store.records.version)
  if (looksSecret(file.path) || versions.some(({ size }) => size > MOST_BYTES)) return null
  const [before, after] = versions.map((version) =>
    version.kind === 'absent' ? Buffer.alloc(0) : readContent(store, version)
  )
  const encodings = before && after && encodingsOfLines(before, after)
  if (!encodings) return null
  const hunks = formatHunks(before, after, encodings).toString('utf8')
  return hunks === '' || hunks.split('\n').length > MOST_LINES ? null : hunks
}
