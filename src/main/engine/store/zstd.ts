/**
 * One zstd context for many contents. `zstdCompressSync` builds a stream object and a context for each call, which for a
 * small file costs twice what the packing does; here one context is kept and packs a whole frame a call.
 *
 * Node offers that only below its public surface (the `_handle` of a stream, which npm's own minizlib uses too). So it
 * is tried out before its first use, and where it does not give what it should, `zstdCompressSync` is used.
 */
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** How hard to pack. Asked for when it is used: reading zlib's constants loads it. */
export function zstdParams(): Record<number, number> {
  return { [constants.ZSTD_c_compressionLevel]: 3 }
}

/** Packs `bytes` as a frame into `target` at `at`, where there is `roomFor` them. Returns the frame's length. */
type FramePacker = (bytes: Uint8Array, target: Uint8Array, at: number) => number

/** What of a zlib stream is used; `writeSync` leaves [room left in target, input left] in the state. */
interface Stream {
  readonly _handle?: {
    writeSync(
      flush: number,
      from: Uint8Array,
      fromAt: number,
      fromLength: number,
      to: Uint8Array,
      toAt: number,
      toLength: number
    ): void
  }
  readonly _writeState?: Uint32Array
}

let packer: FramePacker | null = null

/** More than a frame of so many bytes can take, whatever they are. */
export function roomFor(bytes: number): number {
  return bytes + (bytes >> 7) + 256
}

/** Packs `bytes` as one zstd frame into `target` at `at`, where there must be `roomFor` them. Returns the frame's length. */
export function packFrame(bytes: Uint8Array, target: Uint8Array, at: number): number {
  packer ??= reusing() ?? once
  return packer(bytes, target, at)
}

function once(bytes: Uint8Array, target: Uint8Array, at: number): number {
  const packed = zstdCompressSync(bytes, { params: zstdParams() })
  target.set(packed, at)
  return packed.length
}

/** A packer on one kept context, or null where this Node does not offer it. */
function reusing(): FramePacker | null {
  const { _handle, _writeState } = createZstdCompress({ params: zstdParams() }) as Stream
  if (typeof _handle?.writeSync !== 'function' || _writeState?.length !== 2) return null
  const pack: FramePacker = (bytes, target, at) => {
    const room = target.length - at
    _writeState.fill(0)
    _handle.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, target, at, room)
    const left = _writeState[0] as number
    // With room left the frame is complete; the context starts a new one by itself.
    if (left === 0 || _writeState[1] !== 0) throw new Error('zstd did not finish a frame')
    return room - left
  }
  return gives(pack) ? pack : null
}

function gives(pack: FramePacker): boolean {
  // Twice, because only the second frame shows whether the context really starts anew.
  return ['first of two frames '.repeat(40), 'and the second, another one '.repeat(50)].every((text) => {
    const bytes = Buffer.from(text)
    const target = Buffer.alloc(roomFor(bytes.length) + 7)
    const length = pack(bytes, target, 7)
    return length < bytes.length && zstdDecompressSync(target.subarray(7, 7 + length)).equals(bytes)
  })
}
