/** The contents of a bundle: each once, in pieces, and what its edits say about a version. */
import type { FileVersion } from '../../../contract/log.ts'
import { looksSecret } from '../files/secret-path.ts'
import type { EditRow } from '../store/edits.ts'
import { sha256 } from '../store/hash.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion } from '../store/versions.ts'
import { BUNDLE_LIMITS, type BundleVersion } from './line-schema.ts'
import type { Mask } from './mask.ts'

/** What was written, so far. */
export interface BundleCounts {
  files: number
  edits: number
  messages: number
  comments: number
  /** Paths of files whose content is left out, because they may contain a secret. */
  readonly hidden: Set<string>
}

export function noCounts(): BundleCounts {
  return { files: 0, edits: 0, messages: 0, comments: 0, hidden: new Set() }
}

/** Whether a version of a path is left out, whatever is stored of it; and the sizes of the contents that are not. */
export interface LeftOut {
  isHidden(path: string, content: number): boolean
  sizeOf(content: number): number
}

/** Of all contents together; the rest is room for the other lines. */
const MOST_CONTENT = BUNDLE_LIMITS.bytes / 2

/** Each content once. */
export function* contentLines(
  store: Store,
  mask: Mask,
  edits: readonly EditRow[],
  counts: BundleCounts
): Generator<object, LeftOut> {
  const { records } = store
  const hidden = new Set<number>()
  const sizes = new Map<number, number>()
  let left = MOST_CONTENT
  const isSecretPath = (path: string): boolean => mask.isOn && looksSecret(path)
  for (const { path, before, after } of edits) {
    const name = records.pathOf(path)
    for (const version of [records.version(before), records.version(after)]) {
      const id = contentOf(version)
      if (id === null) continue
      if (isSecretPath(name) || hidden.has(id)) {
        counts.hidden.add(name)
        continue
      }
      if (sizes.has(id)) continue
      const known = mask.masked
      const isReadable = version.size <= left && store.content.isReadable(id)
      const bytes = isReadable ? mask.bytes(store.content.get(id, version.size)) : null
      if (!bytes) {
        hidden.add(id)
        counts.hidden.add(name)
        continue
      }
      left -= bytes.length
      sizes.set(id, bytes.length)
      const hash = sha256(bytes).toString('hex')
      yield { content: { id, size: bytes.length, sha256: hash, ...(mask.masked > known && { masked: true }) } }
      yield* pieces(bytes, 'bytes')
    }
  }
  return {
    isHidden: (path, content) => isSecretPath(path) || !sizes.has(content),
    sizeOf: (content) => sizes.get(content) ?? 0
  }
}

/** Lines of at most `BUNDLE_LIMITS.piece` bytes each, as base64. */
export function* pieces(bytes: Buffer, section: 'bytes' | 'patch'): Generator<object> {
  for (let at = 0; at < bytes.length; at += BUNDLE_LIMITS.piece)
    yield { [section]: bytes.toString('base64', at, Math.min(bytes.length, at + BUNDLE_LIMITS.piece)) }
}

export function versionLine(version: FileVersion, path: string, left: LeftOut): BundleVersion {
  const { kind, mode, size, target, notStored } = version
  switch (kind) {
    case 'absent':
    case 'unknown':
      return { kind }
    case 'special':
      return { kind: 'unknown' }
    case 'dir':
      return { kind, mode }
    case 'symlink':
      return { kind, mode, ...(target === null ? {} : { target }) }
    case 'file': {
      const content = contentOf(version as StoredVersion)
      if (content === null) return { kind, mode, size, reason: reasonOf(notStored) }
      return left.isHidden(path, content)
        ? { kind, mode, size: 0, reason: 'hidden' }
        : { kind, mode, size: left.sizeOf(content), content }
    }
  }
}

function contentOf({ kind, content, notStored }: StoredVersion): number | null {
  return kind === 'file' && notStored === null ? content : null
}

/** What only the recording of a folder knows is no reason elsewhere. */
function reasonOf(reason: FileVersion['notStored']): NonNullable<BundleVersion['reason']> {
  return reason === null || reason === 'pending' || reason === 'special' ? 'pruned' : reason
}
