/** Looks at one path and takes what the log needs of it: its state, and its bytes in memory or already in the store. */
import type { FileVersion, NotStoredReason } from '../../../contract/log.ts'
import type { Signature } from '../files/signature.ts'
import { readStable } from '../files/stable-read.ts'
import type { WorkspaceFs } from '../files/workspace-fs.ts'
import { isUnreadable } from '../ports/fs-errors.ts'
import type { Content } from '../store/content.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { sha256 } from '../store/hash.ts'
import type { LargeContentWriter } from '../store/large-content.ts'
import type { Limit } from './limit.ts'

export interface Observation {
  readonly path: string
  /** Stat taken with the bytes; null when absent or not readable at all. */
  readonly signature: Signature | null
  readonly version: FileVersion
  /** Set when the bytes are not in the store yet. */
  readonly bytes: Buffer | null
  /** Set when they are (large files). */
  readonly content: number | null
}

export interface ObserveOptions {
  /** Bytes; Infinity for guards (RS-9). */
  readonly limit: number
  /** What a file above it is called. */
  readonly overLimit?: Limit['overLimit']
  /** Paths that are boundaries or ignored folders: recorded by name only. */
  readonly folderReason: NotStoredReason | null
}

/** Observes one root-relative path. Never throws for what is on disk: what cannot be kept gets a reason (CP-3). */
export function observe(fs: WorkspaceFs, content: Content, path: string, options: ObserveOptions): Observation {
  let there: Signature | null
  try {
    there = fs.stat(path)
  } catch (error) {
    if (isUnreadable(error)) return state(path, null, { ...ABSENT, kind: 'file', notStored: 'unreadable' })
    throw error
  }
  if (!there) return state(path, null, ABSENT)
  let large: LargeContentWriter | null = null
  const sink = {
    restart: () => large?.restart(),
    piece: (bytes: Buffer) => {
      large ??= content.createLargeWriter()
      large.addChunk(bytes)
    }
  }
  const read = readStable(fs.absolute(path), options.limit, sink)
  // Assigned inside the sink, which the compiler does not see.
  const streamed = large as LargeContentWriter | null
  if (read.result !== 'pieces') streamed?.abandon()
  switch (read.result) {
    case 'absent':
      return state(path, null, ABSENT)
    case 'unreadable':
      return state(path, read.signature, fileWithout('unreadable', read.signature ?? there))
    case 'changing':
      return state(path, read.signature, fileWithout('changing', read.signature))
    case 'too-large':
      return state(path, read.signature, fileWithout(options.overLimit ?? 'too-large', read.signature))
    case 'folder':
      return state(path, read.signature, {
        ...ABSENT,
        kind: 'dir',
        mode: read.signature.mode,
        notStored: options.folderReason
      })
    case 'special':
      return state(path, read.signature, {
        ...ABSENT,
        kind: 'special',
        mode: read.signature.mode,
        notStored: 'special'
      })
    case 'link':
      // A link's own mode bits mean nothing and differ between systems: always 0.
      return state(path, read.signature, {
        ...ABSENT,
        kind: 'symlink',
        target: read.target ?? '',
        notStored: read.target === null ? 'name' : null
      })
    case 'bytes': {
      const hash = sha256(read.bytes)
      return {
        path,
        signature: read.signature,
        version: fileVersion(read.signature, hash.toString('hex')),
        bytes: read.bytes,
        content: null
      }
    }
    case 'pieces': {
      const done = (streamed as LargeContentWriter).finish()
      return {
        path,
        signature: read.signature,
        version: fileVersion(read.signature, done.hash.toString('hex')),
        bytes: null,
        content: done.id
      }
    }
  }
}

/** A file that changed again whenever it was to be recorded; null for anything else, which the next check sees anew. */
export function observeUnstable(fs: WorkspaceFs, path: string): Observation | null {
  const there = fs.stat(path)
  return there?.kind === 'file' ? state(path, there, fileWithout('changing', there)) : null
}

function state(path: string, signature: Signature | null, version: FileVersion): Observation {
  return { path, signature, version, bytes: null, content: null }
}

function fileVersion(signature: Signature, hash: string): FileVersion {
  return { kind: 'file', size: signature.size, mode: signature.mode, hash, target: null, notStored: null }
}

function fileWithout(reason: NotStoredReason, signature: Signature): FileVersion {
  const kind = signature.kind === 'symlink' ? 'symlink' : signature.kind === 'dir' ? 'dir' : 'file'
  return { kind, size: signature.size, mode: signature.mode, hash: null, target: null, notStored: reason }
}
