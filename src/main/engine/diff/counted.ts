/** Line counts of changes, worked out once per pair of versions and kept. */
import type { ContentKind, FileChange } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion } from '../store/versions.ts'
import { contentKindOf, describeChange } from './file-change.ts'
import { countLines, type LineCounts } from './line-counts.ts'
import type { PathChange } from './types.ts'

/** Content above this is not compared line by line for a list; its kind is `large`. */
const COUNT_LIMIT = 8 * 1024 * 1024

/** A state that was never on disk, such as a file without one run's lines (LG-4); it brings its bytes. */
export interface MadeVersion extends FileVersion {
  readonly bytes: Buffer
}

interface Counted extends LineCounts {
  readonly kind: ContentKind
}

/** Exact bytes of a stored file version; null for anything else. Throws StoreDamaged. */
export function bytesOf(store: Store, version: PathChange['before']): Buffer | null {
  if ('bytes' in version) return (version as MadeVersion).bytes
  const { content } = version as StoredVersion
  return version.kind === 'file' && version.notStored === null && content !== null && content !== undefined
    ? store.content.get(content)
    : null
}

/**
 * The list callers get. With `budgetMs` counting stops when it is used up; the rest has `counted: false` and a guess of its
 * kind, and the next call goes on.
 */
export function describeChanges(
  store: Store,
  changes: readonly PathChange[],
  budgetMs = Number.POSITIVE_INFINITY
): FileChange[] {
  const known = store.db.prepare('SELECT added, deleted, hunks, kind FROM line_count WHERE before = ? AND after = ?')
  const fresh: { before: number; after: number; counted: Counted }[] = []
  const until = Date.now() + budgetMs
  const files = changes.map((change) => {
    const before = (change.before as StoredVersion).id
    const after = (change.after as StoredVersion).id
    const made = before === undefined || after === undefined
    const row = made ? undefined : (known.get(before, after) as Counted | undefined)
    if (row) return describeChange(change, row, row.kind)
    if (Date.now() > until) return describeChange(change, null, contentKindOf(change, null, null))
    const counted = count(store, change)
    // Content that was let go of may be filled again: what cannot be counted now is not remembered.
    if (!made && change.before.notStored !== 'pruned' && change.after.notStored !== 'pruned')
      fresh.push({ before, after, counted })
    return describeChange(change, counted, counted.kind)
  })
  if (fresh.length > 0) {
    const insert = store.db.prepare('INSERT OR IGNORE INTO line_count VALUES (?, ?, ?, ?, ?, ?)')
    write(store.db, () => {
      for (const { before, after, counted } of fresh)
        insert.run(before, after, counted.added, counted.deleted, counted.hunks, counted.kind)
    })
  }
  return files
}

function count(store: Store, change: PathChange): Counted {
  const sizes = [change.before, change.after].map((version) => (version.kind === 'file' ? version.size : 0))
  if (Math.max(...sizes) > COUNT_LIMIT)
    return { added: 0, deleted: 0, hunks: 0, kind: contentKindOf(change, null, null) }
  const before = bytesOf(store, change.before)
  const after = bytesOf(store, change.after)
  const kind = contentKindOf(change, before, after)
  const comparable =
    hasContent(change.before, before) && hasContent(change.after, after) && (kind === 'text' || kind === 'large')
  return { ...(comparable ? countLines(before, after) : { added: 0, deleted: 0, hunks: 0 }), kind }
}

/** A side that is a file without kept bytes cannot be counted; a side that is no file counts as empty. */
function hasContent(version: PathChange['before'], bytes: Buffer | null): boolean {
  return version.kind !== 'unknown' && (version.kind !== 'file' || bytes !== null)
}
