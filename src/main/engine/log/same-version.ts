/** When two recorded states of a path are the same state. */
import type { FileVersion } from '../../../contract/log.ts'

/** Same kind, content, mode and link target. Content that is not stored is the same only if size and reason agree, which is all that is known. */
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
 * Whether both are certainly the same state of a path. Content and link targets that were not kept are never that: they
 * are not known. A symlink's mode bits mean nothing and are not compared.
 */
export function surelySame(a: FileVersion, b: FileVersion): boolean {
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

/** Its state can be written back: absent, or stored content, link or folder. */
export function isRestorable(version: FileVersion): boolean {
  return version.kind !== 'unknown' && version.kind !== 'special' && version.notStored === null
}
