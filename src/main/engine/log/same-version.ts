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

/** Whether two records prove that the path was the same. */
export function isProvablySame(a: FileVersion, b: FileVersion): boolean {
  const proof = proofOf(a)
  return proof !== null && proof === proofOf(b)
}

/**
 * Equal for records that prove that the path was the same. Null for content and link targets that are not stored. A
 * symlink's mode is not compared: systems report different bits for it, and none has an effect.
 */
export function proofOf({ kind, hash, mode, target }: FileVersion): string | null {
  switch (kind) {
    case 'file':
      return hash && `${kind} ${mode} ${hash}`
    case 'symlink':
      return target === null ? null : `${kind} ${target}`
    case 'dir':
    case 'special':
      return `${kind} ${mode}`
    default:
      return kind
  }
}

/** Whether a version can be written back: absent, or a stored file, link or folder. */
export function isRestorable(version: FileVersion): boolean {
  return version.kind !== 'unknown' && version.kind !== 'special' && version.notStored === null
}
