/** Describes one changed path for lists: the kind of change and of content. */
import type { ChangeKind, ContentKind, FileChange } from '../../../contract/diff.ts'
import type { FileVersion, NotStoredReason } from '../../../contract/log.ts'
import { looksSecret } from '../files/secret-path.ts'
import { isProvablySame } from '../log/same-version.ts'
import { isLargeText, LIMITS } from './classify.ts'
import { isText } from './encoding.ts'
import type { LineCounts } from './line-counts.ts'
import type { PathChange } from './types.ts'

/** `counts` is null while they are not computed yet. */
export function describeChange(change: PathChange, counts: LineCounts | null, contentKind: ContentKind): FileChange {
  const kind = changeKind(change)
  const notStored = notStoredReason(change.before) ?? notStoredReason(change.after)
  return {
    path: change.path,
    ...(change.oldPath === undefined ? {} : { oldPath: change.oldPath }),
    // A caller may list a path whose ends are equal: modified, with no lines changed.
    change: kind === 'none' ? 'modified' : kind,
    kind: contentKind,
    added: counts?.added ?? 0,
    deleted: counts?.deleted ?? 0,
    hunks: counts?.hunks ?? 0,
    attribution: change.attribution,
    interleaved: change.interleaved,
    secret: isSecret(change),
    ...(notStored === null ? {} : { notStored }),
    counted: counts !== null
  }
}

type Ends = Pick<PathChange, 'oldPath' | 'before' | 'after'>

/** "none" when both ends are provably the same. An unknown version counts as existing. */
export function changeKind({ oldPath, before, after }: Ends): ChangeKind | 'none' {
  if (oldPath !== undefined) return 'renamed'
  if (isProvablySame(before, after)) return 'none'
  if (before.kind === 'absent') return 'added'
  if (after.kind === 'absent') return 'deleted'
  if (before.kind === 'unknown' || after.kind === 'unknown') return 'modified'
  if (before.kind !== after.kind) return 'type'
  if (before.kind === 'symlink') return 'modified'
  return before.kind !== 'file' || (before.hash !== null && before.hash === after.hash) ? 'mode' : 'modified'
}

/** How a change is shown: its kind comes from the newer side, its limits from both. Bytes are null when they are not stored. */
export function contentKindOf(change: PathChange, before: Uint8Array | null, after: Uint8Array | null): ContentKind {
  const shown = exists(change.after) ? change.after : change.before
  if (shown.kind === 'symlink') return 'symlink'
  if (shown.kind === 'dir') return 'dir'
  if (shown.kind === 'special') return 'binary'
  const sizes = [change.before, change.after].map((version) => (version.kind === 'file' ? version.size : 0))
  if (Math.max(...sizes) > LIMITS.opaqueBytes) return 'large'
  const stored = [before, after].filter((bytes) => bytes !== null)
  if (!stored.every(isText)) return 'binary'
  return stored.some(isLargeText) || Math.max(...sizes) > LIMITS.largeBytes ? 'large' : 'text'
}

function exists(version: FileVersion): boolean {
  return version.kind !== 'absent' && version.kind !== 'unknown'
}

/** Why the content of one side cannot be shown, null when it can. An unknown version has not been read yet: `pending`. */
export function notStoredReason(version: FileVersion): NotStoredReason | null {
  if (version.kind === 'absent' || version.kind === 'dir' || version.kind === 'symlink') return version.notStored
  if (version.kind === 'special') return version.notStored ?? 'special'
  if (version.kind === 'unknown') return version.notStored ?? 'pending'
  return version.notStored
}

/** Whether the path, or the path it was renamed from, looks like it contains credentials. */
export function isSecret({ path, oldPath }: Pick<PathChange, 'path' | 'oldPath'>): boolean {
  return looksSecret(path) || (oldPath !== undefined && looksSecret(oldPath))
}
