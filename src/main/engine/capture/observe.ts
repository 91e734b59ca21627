/**
 * Reads one path as the log needs it: its version, with the bytes in memory, or with a writer that has them if they are large.
 * Follows no link (CP-4), and what it returns was on disk at one moment (CP-2).
 */
import type { FileVersion, NotStoredReason } from '../../../contract/log.ts'
import { isUnreadable } from '../files/fs-errors.ts'
import { isInUse, type Patience } from '../files/in-use.ts'
import { openParents, type Parents } from '../files/pinned-folder.ts'
import type { Signature } from '../files/signature.ts'
import { type PieceSource, readStable, type StableRead } from '../files/stable-read.ts'
import type { WorkspaceFs } from '../files/workspace-fs.ts'
import type { Content } from '../store/content.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { sha256 } from '../store/hash.ts'
import type { FindHelper } from '../store/known-chunks.ts'
import type { LargeContentWriter } from '../store/large-content.ts'
import type { Limit } from './ignore-rules.ts'

export interface Observation {
  readonly path: string
  /** Stat taken with the bytes; null if the path is absent or cannot be read at all. */
  readonly signature: Signature | null
  /** To be recorded with the stat: when it was taken, as `statAtOf` says; 0 for one that is never trusted (DR-2). */
  readonly statAt: number
  readonly version: FileVersion
  /** The bytes, if they are not in the store yet. */
  readonly bytes: Buffer | null
  /**
   * Of a large file: has read it to its end and stores it. For use before the event loop turns, because a sweep may remove
   * parts that it found in the store.
   */
  readonly large: LargeContentWriter | null
  /** It was so at an earlier time: not compared with the disk when it is recorded. */
  readonly past?: true
  /** The error, if it is unreadable only because another program has it open; it may be free a moment later. */
  readonly inUse?: unknown
}

export interface ObserveOptions {
  /** The time now, ms UTC. */
  readonly readAt: number
  /** Bytes; Infinity for guards (RS-9). */
  readonly limit: number
  /** Reason for a file above the limit; too-large if absent. */
  readonly overLimit?: Limit['overLimit']
  /** Why a folder is recorded by name only (boundary, ignored); null or absent if it is entered. */
  readonly folderReason?: NotStoredReason | null
  /** Content of the recorded version, whose parts a large file probably has. */
  readonly previous?: number | null
  /** Finds a second thread for reading a large file. */
  readonly helper?: FindHelper | null
}

/**
 * Observes one root-relative path. Never throws for what is on disk: a path that cannot be stored gets a reason (CP-3).
 * `parents`: of `fs`, for many paths that are observed one after the other.
 */
export function observe(
  fs: WorkspaceFs,
  content: Content,
  path: string,
  options: ObserveOptions,
  parents?: Parents
): Observation {
  if (!parents) {
    using own = openParents(fs)
    return observe(fs, content, path, options, own)
  }
  if (!fs.isImage(path)) return observeDisk(fs, content, path, options, parents)
  const signature = fs.stat(path)
  const { version, ...read } = observeDisk(fs, content, path, options, parents)
  // The copy has the bytes; what else the file was is in its image.
  const mode = version.kind === 'file' && signature ? signature.mode : version.mode
  // The stat of an image proves nothing about the disk now (DR-2).
  return { ...read, version: { ...version, mode }, signature, statAt: 0, past: true }
}

function observeDisk(
  fs: WorkspaceFs,
  content: Content,
  path: string,
  options: ObserveOptions,
  parents: Parents
): Observation {
  let stat: Signature | null
  let absolute: string | null
  try {
    stat = fs.stat(path)
    absolute = fs.isImage(path) || path === '' ? fs.absolute(path) : parents.absolute(path)
  } catch (error) {
    if (isUnreadable(error)) return withoutBytes(path, null, fileWithout('unreadable', null), 0)
    throw error
  }
  const { readAt } = options
  if (!stat || absolute === null) return withoutBytes(path, null, ABSENT, readAt)
  let large: LargeContentWriter | null = null
  const writer = (): LargeContentWriter => {
    large ??= content.createLargeWriter(options.previous)
    return large
  }
  const sink = {
    restart: () => large?.restart(),
    space: (length: number) => writer().space(length),
    readAhead: (fd: number, size: number) => (helper ? writer().readAhead(fd, size, helper) : null),
    piece: (bytes: Buffer, source: PieceSource | null) => writer().add(bytes, source !== null)
  }
  const { helper } = options
  const read = readStable(absolute, options.limit, sink, fs.isImage(path) ? {} : { known: stat, readAt })
  // Assigned inside the sink, which TypeScript's control flow analysis does not see.
  const streamed = large as LargeContentWriter | null
  if (read.result !== 'pieces') streamed?.abandon()
  if (read.result === 'absent') return withoutBytes(path, null, ABSENT, readAt)
  if (read.result === 'bytes' || read.result === 'pieces') {
    const { signature, statAt } = read
    const bytes = read.result === 'bytes' ? read.bytes : null
    const large = bytes ? null : (streamed as LargeContentWriter)
    const version = fileVersion(signature, bytes ? sha256(bytes) : (large as LargeContentWriter).end().hash)
    return { path, signature, statAt, version, bytes, large }
  }
  // [CP-8] One that could not be read may become readable without a change of its stat.
  const statAt = read.result === 'unreadable' || read.result === 'changing' ? 0 : readAt
  const observation = withoutBytes(path, read.signature, versionWithoutBytes(read, options, stat), statAt)
  return read.result === 'unreadable' && isInUse(read.error) ? { ...observation, inUse: read.error } : observation
}

/** Reads by `read` until the path is not in use; unreadable if it stays so. */
export async function observeWhenFree(patience: Patience, read: () => Observation): Promise<Observation> {
  for (let attempt = 0; ; attempt++) {
    const observation = read()
    if (!observation.inUse || !(await patience.pause(attempt))) return observation
  }
}

/** The version of a path whose bytes are not stored. `known`: its stat, for one that could not be read at all. */
export function versionWithoutBytes(
  read: Exclude<StableRead, { result: 'absent' | 'bytes' | 'pieces' }>,
  { overLimit, folderReason }: Pick<ObserveOptions, 'overLimit' | 'folderReason'>,
  known: Signature | null = null
): FileVersion {
  switch (read.result) {
    case 'folder':
      return folderVersion(read.signature.mode, folderReason)
    case 'special':
      return { ...ABSENT, kind: 'special', mode: read.signature.mode, notStored: 'special' }
    case 'link':
      // The mode of a link has no meaning and differs between systems: recorded as 0.
      return { ...ABSENT, kind: 'symlink', target: read.target ?? '', notStored: read.target === null ? 'name' : null }
    case 'too-large':
      return fileWithout(overLimit ?? 'too-large', read.signature)
    default:
      return fileWithout(read.result, read.signature ?? known)
  }
}

/**
 * A file that changed each time it was read: recorded as changing. Null for anything else; the next check compares it
 * again.
 */
export function observeUnstable(fs: WorkspaceFs, path: string): Observation | null {
  const stat = fs.stat(path)
  return stat?.kind === 'file' ? withoutBytes(path, stat, fileWithout('changing', stat), 0) : null
}

function withoutBytes(path: string, signature: Signature | null, version: FileVersion, statAt: number): Observation {
  return { path, signature, statAt, version, bytes: null, large: null }
}

/** `reason`: why it is recorded by name only; null if it is entered. */
export function folderVersion(mode: number, reason: NotStoredReason | null = null): FileVersion {
  return { ...ABSENT, kind: 'dir', mode, notStored: reason }
}

function fileVersion({ size, mode }: Signature, hash: Buffer): FileVersion {
  return { ...ABSENT, kind: 'file', size, mode, hash: hash.toString('hex') }
}

function fileWithout(reason: NotStoredReason, signature: Signature | null): FileVersion {
  const { size, mode } = signature ?? ABSENT
  const kind = signature?.kind === 'symlink' || signature?.kind === 'dir' ? signature.kind : 'file'
  return { ...ABSENT, kind, size, mode, notStored: reason }
}

/**
 * `observed` with the mode of `before`, if the disk reports the mode that it reported then (`recorded`). On a disk that
 * keeps no modes (exFAT, FAT, some FUSE) every restored file would else look changed at the next scan.
 */
export function withRecordedMode(
  observed: FileVersion,
  now: Signature | null,
  before: FileVersion,
  recorded: Signature | null
): FileVersion {
  const isSame =
    observed.kind === before.kind && now !== null && recorded?.kind === now.kind && recorded.mode === now.mode
  return isSame && observed.mode !== before.mode ? { ...observed, mode: before.mode } : observed
}
