/**
 * Describes changed paths for lists: the kind of change and of content, with line counts. Counts are computed once per
 * pair of versions and cached in the store.
 */
import type { ChangeKind, ContentKind, FileChange } from '../../../contract/diff.ts'
import type { FileVersion, NotStoredReason } from '../../../contract/log.ts'
import { looksSecret } from '../files/secret-path.ts'
import { isProvablySame } from '../log/same-version.ts'
import type { ContentId } from '../store/content-rows.ts'
import { readingAhead } from '../store/content-rows-ahead.ts'
import type { ContentAtHand } from '../store/large-reads.ts'
import { findLineCount, insertLineCount, type LineCountRow } from '../store/line-counts.ts'
import type { Store } from '../store/open-store.ts'
import { readTogether, transact } from '../store/sql.ts'
import { readStoredContent, type StoredVersion, type VersionId } from '../store/versions.ts'
import type { PathChange } from './aggregate.ts'
import { isLargeText, LIMITS } from './classify.ts'
import { isText } from './encoding.ts'
import { countLines, type LineCounts, NO_LINES } from './line-diff.ts'

/** A version that was never on disk, such as a file without the lines of one run (LG-4). It carries its bytes. */
export interface SynthesizedVersion extends FileVersion {
  readonly bytes: Buffer
}

/** As readStoredContent, also for a synthesized version. */
export function readContent(store: Store, version: FileVersion, like: ContentAtHand | null = null): Buffer | null {
  return 'bytes' in version
    ? (version as SynthesizedVersion).bytes
    : readStoredContent(store, version as StoredVersion, like)
}

/** The bytes of both sides of a change. */
export function readSides(store: Store, { before, after }: Pick<PathChange, 'before' | 'after'>) {
  const bytes = readContent(store, before)
  const { content } = before as Partial<StoredVersion>
  const like = bytes && typeof content === 'number' ? { id: content, bytes } : null
  return { before: bytes, after: readContent(store, after, like) }
}

/**
 * Describes changes in the given order. When `budgetMs` is used up, the remaining changes get `counted: false` and a
 * guess of their kind; the next call continues, since counted pairs are cached.
 */
export function describeChanges(store: Store, changes: readonly PathChange[], budgetMs = Infinity): FileChange[] {
  const fresh: [before: VersionId, after: VersionId, row: LineCountRow][] = []
  const deadline = Date.now() + budgetMs
  const describe = (change: PathChange, cached: LineCountRow | null, contents: Store): FileChange => {
    if (!cached && Date.now() > deadline) return describeChange(change, null, contentKindOf(change, null, null))
    const row = cached ?? count(contents, change)
    // Evicted or damaged content may be stored again later, so a result without it must not be cached.
    const ids = cached ? null : idsOf(change)
    if (ids && !isLost(change.before) && !isLost(change.after)) fresh.push([...ids, row])
    return describeChange(change, row, row.kind)
  }
  const files = readTogether(store, () => {
    const known = changes.map((change) => knownCount(store, change))
    const contents = readingAhead(
      store,
      changes.flatMap((change, n) => (known[n] ? [] : contentsOf(change)))
    )
    return changes.map((change, n) => describe(change, known[n] ?? null, contents))
  })
  if (fresh.length > 0)
    transact(store, (tx) => {
      for (const [before, after, row] of fresh) insertLineCount(tx, before, after, row)
    })
  return files
}

function knownCount(store: Store, change: PathChange): LineCountRow | null {
  const ids = idsOf(change)
  return ids && findLineCount(store, ...ids)
}

/** Null for a change with a synthesized version. */
function idsOf({ before, after }: PathChange): [before: VersionId, after: VersionId] | null {
  const [old, now] = [before, after].map((version) => (version as Partial<StoredVersion>).id)
  return old === undefined || now === undefined ? null : [old, now]
}

function contentsOf({ before, after }: PathChange): ContentId[] {
  return [before, after].flatMap((version) => (version as Partial<StoredVersion>).content ?? [])
}

function isLost({ notStored }: FileVersion): boolean {
  return notStored === 'pruned' || notStored === 'damaged'
}

/** Lines of one change, from the cache if they are in it; null where there are none to count. */
export function linesOf(store: Store, change: PathChange): Pick<LineCounts, 'added' | 'deleted'> | null {
  const { id: before } = change.before as StoredVersion
  const { id: after } = change.after as StoredVersion
  const row = findLineCount(store, before, after) ?? count(store, change)
  const isCounted = notStoredReason(change.before) === null && notStoredReason(change.after) === null
  return isCounted && (row.kind === 'text' || (row.kind === 'large' && largerSize(change) <= LIMITS.comparedBytes))
    ? row
    : null
}

function count(store: Store, change: PathChange): LineCountRow {
  if (largerSize(change) > LIMITS.comparedBytes) return { ...NO_LINES, kind: contentKindOf(change, null, null) }
  const { before, after } = readSides(store, change)
  const kind = contentKindOf(change, before, after)
  const comparable =
    hasContent(change.before, before) && hasContent(change.after, after) && (kind === 'text' || kind === 'large')
  return { ...(comparable ? countLines(before, after) : NO_LINES), kind }
}

/** A file whose bytes are not stored cannot be counted; a side that is no file counts as empty. */
function hasContent(version: FileVersion, bytes: Buffer | null): boolean {
  return version.kind !== 'unknown' && (version.kind !== 'file' || bytes !== null)
}

/** `counts` is null while they are not computed yet. */
export function describeChange(change: PathChange, counts: LineCounts | null, contentKind: ContentKind): FileChange {
  const { path, oldPath, attribution, interleaved } = change
  const kind = changeKind(change)
  const notStored = notStoredReason(change.before) ?? notStoredReason(change.after)
  const { added, deleted, hunks } = counts ?? NO_LINES
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    // A caller may list a path whose ends are equal: modified, with no lines changed.
    change: kind === 'none' ? 'modified' : kind,
    kind: contentKind,
    added,
    deleted,
    hunks,
    attribution,
    interleaved,
    secret: isSecret(change),
    ...(notStored === null ? {} : { notStored }),
    counted: counts !== null
  }
}

/** "none" when both ends are provably the same. An unknown version counts as existing. */
export function changeKind(change: Pick<PathChange, 'oldPath' | 'before' | 'after'>): ChangeKind | 'none' {
  const { oldPath, before, after } = change
  if (oldPath !== undefined) return 'renamed'
  if (isProvablySame(before, after)) return 'none'
  if (before.kind === 'absent') return 'added'
  if (after.kind === 'absent') return 'deleted'
  if (before.kind === 'unknown' || after.kind === 'unknown') return 'modified'
  if (before.kind !== after.kind) return 'type'
  if (before.kind === 'symlink') return 'modified'
  return before.kind !== 'file' || (before.hash !== null && before.hash === after.hash) ? 'mode' : 'modified'
}

/**
 * How a change is shown: its kind comes from the newer side, its limits from both. Bytes are null when they are not
 * stored.
 */
export function contentKindOf(change: PathChange, before: Uint8Array | null, after: Uint8Array | null): ContentKind {
  const { kind } = change.after.kind === 'absent' || change.after.kind === 'unknown' ? change.before : change.after
  if (kind === 'symlink' || kind === 'dir') return kind
  if (kind === 'special') return 'binary'
  const stored = [before, after].filter((bytes) => bytes !== null)
  if (!stored.every(isText)) return 'binary'
  return stored.some(isLargeText) || largerSize(change) > LIMITS.largeBytes ? 'large' : 'text'
}

function largerSize({ before, after }: PathChange): number {
  return Math.max(before.size, after.size)
}

/**
 * Why the content of one side cannot be shown, null when it can. An unknown version has not been read yet: `pending`.
 */
export function notStoredReason({ kind, notStored }: FileVersion): NotStoredReason | null {
  return notStored ?? (kind === 'special' ? 'special' : kind === 'unknown' ? 'pending' : null)
}

/** Whether the path, or the path it was renamed from, looks like it contains credentials. */
export function isSecret({ path, oldPath }: Pick<PathChange, 'path' | 'oldPath'>): boolean {
  return looksSecret(path) || (oldPath !== undefined && looksSecret(oldPath))
}

/** Bytes. Larger content is never shown, so it is not read. */
const SHOWN_LIMIT = 20 * 1024 * 1024

/** The content of a version that may be shown; null as for `readContent`, and for content that is too large to be shown. */
export function shownBytes(store: Store, version: FileVersion): Buffer | null {
  return version.size > SHOWN_LIMIT ? null : readContent(store, version)
}
