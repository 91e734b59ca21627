/** One changed path as callers list it (CLI.md: FILE). */
import type { ChangeKind, ContentKind, FileChange } from '../../../contract/diff.ts'
import type { FileVersion, NotStoredReason } from '../../../contract/log.ts'
import { surelySame } from '../log/same-version.ts'
import { isLargeText, LIMITS } from './classify.ts'
import { isText } from './encoding.ts'
import type { LineCounts } from './line-counts.ts'
import { looksSecret } from './secret-path.ts'
import type { PathChange } from './types.ts'

/** The FILE of a change. `counts` is null while they are still being worked out. */
export function describeChange(change: PathChange, counts: LineCounts | null, contentKind: ContentKind): FileChange {
  const kind = changeKind(change)
  const notStored = notStoredReason(change.before) ?? notStoredReason(change.after)
  return {
    path: change.path,
    ...(change.oldPath === undefined ? {} : { oldPath: change.oldPath }),
    // A caller may list a path that ended as it began; it is shown as modified by nothing.
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

/** What happened to a path; "none" when both ends are the same. A state that was not covered counts as existing. */
export function changeKind({ oldPath, before, after }: Ends): ChangeKind | 'none' {
  if (oldPath !== undefined) return 'renamed'
  if (surelySame(before, after)) return 'none'
  if (before.kind === 'absent') return 'added'
  if (after.kind === 'absent') return 'deleted'
  if (before.kind === 'unknown' || after.kind === 'unknown') return 'modified'
  if (before.kind !== after.kind) return 'type'
  if (before.kind === 'symlink') return 'modified'
  return before.kind !== 'file' || (before.hash !== null && before.hash === after.hash) ? 'mode' : 'modified'
}

/** How a change is shown: by its newer side, and by the harder of both contents. Bytes are null when not kept. */
export function contentKindOf(change: PathChange, before: Uint8Array | null, after: Uint8Array | null): ContentKind {
  const shown = isThere(change.after) ? change.after : change.before
  if (shown.kind === 'symlink') return 'symlink'
  if (shown.kind === 'dir') return 'dir'
  if (shown.kind === 'special') return 'binary'
  const sizes = [change.before, change.after].map((version) => (version.kind === 'file' ? version.size : 0))
  if (Math.max(...sizes) > LIMITS.opaqueBytes) return 'large'
  const kept = [before, after].filter((bytes) => bytes !== null)
  if (!kept.every(isText)) return 'binary'
  return kept.some(isLargeText) || Math.max(...sizes) > LIMITS.largeBytes ? 'large' : 'text'
}

function isThere(version: FileVersion): boolean {
  return version.kind !== 'absent' && version.kind !== 'unknown'
}

/** Why the content of one side cannot be shown, null when it can. What was not covered has not been read yet. */
export function notStoredReason(version: FileVersion): NotStoredReason | null {
  if (version.kind === 'absent' || version.kind === 'dir' || version.kind === 'symlink') return version.notStored
  if (version.kind === 'special') return version.notStored ?? 'special'
  if (version.kind === 'unknown') return version.notStored ?? 'pending'
  return version.notStored
}

/** Whether the path or the one it came from looks like it holds a credential. */
export function isSecret({ path, oldPath }: Pick<PathChange, 'path' | 'oldPath'>): boolean {
  return looksSecret(path) || (oldPath !== undefined && looksSecret(oldPath))
}
