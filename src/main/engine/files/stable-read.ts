/** [CP-2] Reads a path so that what is returned was on disk at one moment, without following links or opening devices (CP-4). */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { errorCode, isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import { lstatSignature, type Signature, sameSignature, signatureOf } from './signature.ts'

/** Content above this many bytes is handed on in pieces of this size, so memory stays flat. */
export const PIECE = 1 << 20
const ATTEMPTS = 3

export type StableRead =
  | { readonly result: 'absent' }
  | { readonly result: 'unreadable'; readonly signature: Signature | null }
  | { readonly result: 'changing'; readonly signature: Signature }
  | { readonly result: 'too-large'; readonly signature: Signature }
  | { readonly result: 'link'; readonly signature: Signature; readonly target: string | null }
  | { readonly result: 'folder' | 'special'; readonly signature: Signature }
  | { readonly result: 'bytes'; readonly signature: Signature; readonly bytes: Buffer }
  | { readonly result: 'pieces'; readonly signature: Signature }

/** Takes a large file piece by piece. `restart` is called before every attempt: forget what came before. */
export interface PieceSink {
  restart(): void
  piece(bytes: Buffer): void
}

/**
 * Reads one absolute path. Files up to PIECE come back as bytes; larger ones go through `sink`; files over `limit`
 * bytes are not opened. A file that keeps changing during three attempts is `changing`. `space` (PIECE + 1 bytes): where to
 * put the bytes of a file or piece, which are valid until it is used again; without it they have memory of their own.
 */
export function readStable(absolute: string, limit: number, sink: PieceSink, space?: Buffer): StableRead {
  let last: Signature | null = null
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let before: Signature | null
    try {
      before = lstatSignature(absolute)
    } catch (error) {
      if (isUnreadable(error)) return { result: 'unreadable', signature: null }
      throw error
    }
    if (!before) return { result: 'absent' }
    last = before
    if (before.kind === 'dir') return { result: 'folder', signature: before }
    if (before.kind === 'special') return { result: 'special', signature: before }
    const read = before.kind === 'symlink' ? readLink(absolute, before) : readFile(absolute, before, limit, sink, space)
    if (read !== 'again') return read
  }
  return { result: 'changing', signature: last as Signature }
}

function readLink(absolute: string, before: Signature): StableRead | 'again' {
  try {
    const raw = readlinkSync(absolute, { encoding: 'buffer' })
    const after = lstatSignature(absolute)
    if (!after || !sameSignature(before, after)) return 'again'
    const target = raw.toString('utf8')
    return { result: 'link', signature: before, target: Buffer.from(target, 'utf8').equals(raw) ? target : null }
  } catch (error) {
    if (isNotFound(error) || errorCode(error) === 'EINVAL') return 'again'
    if (isUnreadable(error)) return { result: 'unreadable', signature: before }
    throw error
  }
}

// Windows has neither flag; there a link is refused by the lstat before and the comparison after.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

function readFile(
  absolute: string,
  before: Signature,
  limit: number,
  sink: PieceSink,
  space: Buffer | undefined
): StableRead | 'again' {
  if (before.size > limit) return { result: 'too-large', signature: before }
  let fd: number
  try {
    fd = openSync(absolute, OPEN_FLAGS)
  } catch (error) {
    // ELOOP: it became a link between lstat and open.
    if (isNotFound(error) || errorCode(error) === 'ELOOP') return 'again'
    if (isUnreadable(error)) return { result: 'unreadable', signature: before }
    throw error
  }
  try {
    if (!sameSignature(before, signatureOf(fstatSync(fd)))) return 'again'
    if (before.size <= PIECE) {
      const bytes = readExactly(fd, before.size, space)
      if (!bytes || !sameSignature(before, signatureOf(fstatSync(fd)))) return 'again'
      return { result: 'bytes', signature: before, bytes }
    }
    sink.restart()
    let total = 0
    for (;;) {
      const piece = space ? space.subarray(0, PIECE) : Buffer.allocUnsafe(PIECE)
      const n = fill(fd, piece)
      total += n
      if (n > 0) sink.piece(n === PIECE ? piece : piece.subarray(0, n))
      if (n < PIECE || total > before.size) break
    }
    if (total !== before.size || !sameSignature(before, signatureOf(fstatSync(fd)))) return 'again'
    return { result: 'pieces', signature: before }
  } catch (error) {
    if (isUnreadable(error)) return { result: 'unreadable', signature: before }
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Bytes of a file that must be exactly `size` long, or null when it is not. One byte more is asked for to notice growth. */
function readExactly(fd: number, size: number, space: Buffer | undefined): Buffer | null {
  const buffer = space ? space.subarray(0, size + 1) : Buffer.allocUnsafe(size + 1)
  const n = fill(fd, buffer)
  return n === size ? buffer.subarray(0, size) : null
}

function fill(fd: number, buffer: Buffer): number {
  let at = 0
  while (at < buffer.length) {
    const n = readSync(fd, buffer, at, buffer.length - at, null)
    if (n === 0) break
    at += n
  }
  return at
}
