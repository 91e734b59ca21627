/** Describes changes for lists, with line counts. Counts are computed once per pair of versions and cached in the store. */
import type { FileChange } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { findLineCount, insertLineCount, type LineCountRow } from '../store/line-counts.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'
import { readStoredContent, type StoredVersion, type VersionId } from '../store/versions.ts'
import { contentKindOf, describeChange } from './file-change.ts'
import { countLines } from './line-counts.ts'
import type { PathChange } from './types.ts'

/** Larger content is not compared line by line for a list; its kind is `large`. */
const COUNT_LIMIT = 8 * 1024 * 1024

/** A version that was never on disk, such as a file without the lines of one run (LG-4). It carries its bytes. */
export interface SynthesizedVersion extends FileVersion {
  readonly bytes: Buffer
}

/** As readStoredContent, also for a synthesized version. */
export function readContent(store: Store, version: PathChange['before']): Buffer | null {
  return 'bytes' in version ? (version as SynthesizedVersion).bytes : readStoredContent(store, version as StoredVersion)
}

/**
 * Describes changes in the given order. When `budgetMs` is used up, the remaining changes get `counted: false` and a guess of
 * their kind; the next call continues, since counted pairs are cached.
 */
export function describeChanges(
  store: Store,
  changes: readonly PathChange[],
  budgetMs = Number.POSITIVE_INFINITY
): FileChange[] {
  const fresh: { before: VersionId; after: VersionId; counted: LineCountRow }[] = []
  const deadline = Date.now() + budgetMs
  const files = changes.map((change) => {
    const before = (change.before as StoredVersion).id
    const after = (change.after as StoredVersion).id
    const synthesized = before === undefined || after === undefined
    const row = synthesized ? null : findLineCount(store, before, after)
    if (row) return describeChange(change, row, row.kind)
    if (Date.now() > deadline) return describeChange(change, null, contentKindOf(change, null, null))
    const counted = count(store, change)
    // Evicted content may be stored again later, so a result without it must not be cached.
    if (!synthesized && change.before.notStored !== 'pruned' && change.after.notStored !== 'pruned')
      fresh.push({ before, after, counted })
    return describeChange(change, counted, counted.kind)
  })
  if (fresh.length > 0)
    transact(store, (tx) => {
      for (const { before, after, counted } of fresh) insertLineCount(tx, before, after, counted)
    })
  return files
}

function count(store: Store, change: PathChange): LineCountRow {
  const sizes = [change.before, change.after].map((version) => (version.kind === 'file' ? version.size : 0))
  if (Math.max(...sizes) > COUNT_LIMIT)
    return { added: 0, deleted: 0, hunks: 0, kind: contentKindOf(change, null, null) }
  const before = readContent(store, change.before)
  const after = readContent(store, change.after)
  const kind = contentKindOf(change, before, after)
  const comparable =
    hasContent(change.before, before) && hasContent(change.after, after) && (kind === 'text' || kind === 'large')
  return { ...(comparable ? countLines(before, after) : { added: 0, deleted: 0, hunks: 0 }), kind }
}

/** A file whose bytes are not stored cannot be counted; a side that is no file counts as empty. */
function hasContent(version: PathChange['before'], bytes: Buffer | null): boolean {
  return version.kind !== 'unknown' && (version.kind !== 'file' || bytes !== null)
}
