/**
 * [CP-2] Reads a path so that the result was on disk at one moment: the stat before and after the read must be equal.
 * Follows no links and opens no devices (CP-4).
 */
import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { exactFstat } from './exact-stat.ts'
import { errorCode, isNotFound, isUnreadable } from './fs-errors.ts'
import { isLocalDisk } from './local-disk.ts'
import { statAtOf } from './racy-times.ts'
import { fill, READ_FLAGS } from './read-small-file.ts'
import { lstatSignature, type Signature, sameSignature, signatureOf } from './signature.ts'

/** Larger content is passed on in pieces of this many bytes, so memory stays bounded. */
export const PIECE = 1 << 20
const ATTEMPTS = 3

export type StableRead =
  | { readonly result: 'absent' }
  | { readonly result: 'unreadable'; readonly signature: Signature | null; readonly error: unknown }
  | { readonly result: 'changing'; readonly signature: Signature }
  | { readonly result: 'too-large'; readonly signature: Signature }
  | { readonly result: 'link'; readonly signature: Signature; readonly target: string | null }
  | { readonly result: 'folder' | 'special'; readonly signature: Signature }
  | { readonly result: 'bytes'; readonly signature: Signature; readonly statAt: number; readonly bytes: Buffer }
  | { readonly result: 'pieces'; readonly signature: Signature; readonly statAt: number }

/** Receives a large file piece by piece. `restart` is called before every attempt: discard the former pieces. */
export interface PieceSink {
  restart(): void
  /** Where the next piece of up to `length` bytes is read to; if absent, to memory of the reader. */
  space?(length: number): Buffer
  /** Reads the file, of this size, before `piece` needs it; null or absent if nobody does. */
  readAhead?(fd: number, size: number): PieceSource | null
  /**
   * The bytes are valid until it returns: all pieces are read into the same memory, which costs a third of new memory for each.
   * `source`: they are from there.
   */
  piece(bytes: Buffer, source: PieceSource | null): void
}

/** The pieces of an open file, in their order. */
export interface PieceSource {
  /** Null if it has to be read by the caller. */
  next(): Buffer | null
  /** Closes the file. */
  end(): void
}

/**
 * Reads one absolute path. Files up to PIECE come back as bytes; larger ones go through `sink`; files over `limit`
 * bytes are not opened. A file that changes during each of three attempts is `changing`. `space` (PIECE + 1 bytes): a
 * buffer for the bytes of a file or piece, valid until its next use; without it the bytes of a file have their own memory.
 * `known`: the stat of the path, if it was just taken. `readAt`: the time right before, ms UTC, from which the `statAt` of the result
 * follows (racy-times.ts); without it the stat is never trusted.
 */
export function readStable(
  absolute: string,
  limit: number,
  sink: PieceSink,
  { space, known, readAt = 0 }: { readonly space?: Buffer; readonly known?: Signature; readonly readAt?: number } = {}
): StableRead {
  let last: Signature | null = null
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let before: Signature | null
    try {
      before = (attempt === 0 && known) || lstatSignature(absolute)
    } catch (error) {
      if (isUnreadable(error)) return { result: 'unreadable', signature: null, error }
      throw error
    }
    if (!before) return { result: 'absent' }
    last = before
    if (before.kind === 'dir') return { result: 'folder', signature: before }
    if (before.kind === 'special') return { result: 'special', signature: before }
    if (before.kind === 'symlink') {
      const link = readLink(absolute, before)
      if (link !== 'retry') return link
      continue
    }
    const statAt = statAtOf(before, readAt, () => isLocalDisk(absolute))
    const read = readFile(absolute, { before, statAt }, limit, sink, space)
    if (read !== 'retry') return read
  }
  return { result: 'changing', signature: last as Signature }
}

function readLink(absolute: string, before: Signature): StableRead | 'retry' {
  try {
    const raw = readlinkSync(absolute, { encoding: 'buffer' })
    const after = lstatSignature(absolute)
    if (!after || !sameSignature(before, after)) return 'retry'
    const target = raw.toString('utf8')
    return { result: 'link', signature: before, target: Buffer.from(target, 'utf8').equals(raw) ? target : null }
  } catch (error) {
    if (isNotFound(error) || errorCode(error) === 'EINVAL') return 'retry'
    if (isUnreadable(error)) return { result: 'unreadable', signature: before, error }
    throw error
  }
}

function readFile(
  absolute: string,
  { before, statAt }: { readonly before: Signature; readonly statAt: number },
  limit: number,
  sink: PieceSink,
  space: Buffer | undefined
): StableRead | 'retry' {
  if (before.size > limit) return { result: 'too-large', signature: before }
  let fd: number
  try {
    fd = openSync(absolute, READ_FLAGS)
  } catch (error) {
    // ELOOP: replaced by a link between lstat and open.
    if (isNotFound(error) || errorCode(error) === 'ELOOP') return 'retry'
    if (isUnreadable(error)) return { result: 'unreadable', signature: before, error }
    throw error
  }
  let ahead: PieceSource | null = null
  try {
    if (!sameSignature(before, signatureOf(exactFstat(fd)))) return 'retry'
    if (before.size <= PIECE) {
      const bytes = readExactly(fd, before.size, space)
      if (!bytes || !sameSignature(before, signatureOf(exactFstat(fd)))) return 'retry'
      return { result: 'bytes', signature: before, statAt, bytes }
    }
    sink.restart()
    let total = 0
    ahead = sink.readAhead?.(fd, before.size) ?? null
    const own = space?.subarray(0, PIECE) ?? (sink.space ? null : Buffer.allocUnsafe(PIECE))
    for (;;) {
      const given = ahead?.next()
      const piece = given ?? readPiece(fd, own ?? (sink.space as (length: number) => Buffer)(PIECE), total)
      total += piece.length
      if (piece.length > 0) sink.piece(piece, given ? ahead : null)
      if (piece.length < PIECE || total > before.size) break
    }
    if (total !== before.size || !sameSignature(before, signatureOf(exactFstat(fd)))) return 'retry'
    return { result: 'pieces', signature: before, statAt }
  } catch (error) {
    if (isUnreadable(error)) return { result: 'unreadable', signature: before, error }
    throw error
  } finally {
    if (ahead) ahead.end()
    else closeSync(fd)
  }
}

function readPiece(fd: number, space: Buffer, position: number): Buffer {
  const n = fill(fd, space, position)
  return n === space.length ? space : space.subarray(0, n)
}

/**
 * The bytes of a file of exactly `size` bytes, else null. Asks for one byte more to notice growth, which the stat that
 * follows shows, too.
 */
function readExactly(fd: number, size: number, space: Buffer | undefined): Buffer | null {
  const buffer = space ? space.subarray(0, size + 1) : Buffer.allocUnsafe(size + 1)
  let at = 0
  do {
    const n = readSync(fd, buffer, at, buffer.length - at, null)
    if (n === 0) break
    at += n
  } while (at < size)
  return at === size ? buffer.subarray(0, size) : null
}
