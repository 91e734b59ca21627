/**
 * Equality of versions. There are two kinds, because content that is not stored (too large, unreadable, excluded) has
 * no hash: `sameVersion` compares what was recorded, `isProvablySame` also demands that the record proves equal
 * content. Code that may overwrite or hide something uses the second. [LG-5] An unknown version is never restorable.
 */
import type { FileVersion } from '../../../contract/log.ts'

/**
 * Whether two records are equal: kind, content, mode and link target. Without hashes equal sizes and reasons suffice,
 * so two unstored versions can count as the same although their bytes differ.
 */
export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return (
    a.kind === b.kind &&
    a.mode === b.mode &&
    a.hash === b.hash &&
    a.target === b.target &&
    a.notStored === b.notStored &&
    (a.hash !== null || a.size === b.size)
  )
}

/**
 * Whether two records prove that the path was the same. False for content and link targets that are not stored. A
 * symlink's mode is not compared: systems report different bits for it, and none has an effect.
 */
export function isProvablySame(a: FileVersion, b: FileVersion): boolean {
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'file':
      return a.hash !== null && a.hash === b.hash && a.mode === b.mode
    case 'symlink':
      return a.target !== null && a.target === b.target
    case 'dir':
    case 'special':
      return a.mode === b.mode
    default:
      return true
  }
}

/** Whether a version can be written back: absent, or a stored file, link or folder. */
export function isRestorable(version: FileVersion): boolean {
  return version.kind !== 'unknown' && version.kind !== 'special' && version.notStored === null
}
