/**
 * Compresses many small inputs with one zstd context. `zstdCompressSync` creates a stream object and a context per
 * call, which for a small file costs twice as much as compressing it. Here one context writes one complete frame per
 * call.
 *
 * Node exposes this only below its public API: the `_handle` of a zlib stream, which npm's minizlib uses as well. So
 * the handle is tested before its first use; if it does not produce valid frames, `zstdCompressSync` is used instead.
 */
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/**
 * Level 3 is zstd's default. A function, because reading zlib's constants loads the module, and hooks must start fast.
 */
export function zstdParams(): Record<number, number> {
  return { [constants.ZSTD_c_compressionLevel]: 3 }
}

/** Writes `bytes` as one frame to `target` at `offset` and returns the frame's length. */
type FramePacker = (bytes: Uint8Array, target: Uint8Array, offset: number) => number

/**
 * The internals of a zlib stream. `writeSync` leaves [unused bytes of the target, unread bytes of the input] in
 * `_writeState`.
 */
interface ZlibStreamInternals {
  readonly _handle?: {
    writeSync(
      flush: number,
      input: Uint8Array,
      inputOffset: number,
      inputLength: number,
      output: Uint8Array,
      outputOffset: number,
      outputLength: number
    ): void
  }
  readonly _writeState?: Uint32Array
}

let framePacker: FramePacker | null = null

/** Upper bound of a frame's length for any input of `size` bytes; zstd's own ZSTD_COMPRESSBOUND is smaller. */
export function compressBound(size: number): number {
  return size + (size >> 7) + 256
}

/** Compresses `bytes` to one zstd frame. `target` must have `compressBound(bytes.length)` bytes after `offset`. */
export function packFrame(bytes: Uint8Array, target: Uint8Array, offset: number): number {
  framePacker ??= createReusingPacker() ?? packWithNewContext
  return framePacker(bytes, target, offset)
}

function packWithNewContext(bytes: Uint8Array, target: Uint8Array, offset: number): number {
  const frame = zstdCompressSync(bytes, { params: zstdParams() })
  target.set(frame, offset)
  return frame.length
}

/** Null if this version of Node has no such handle, or one that behaves differently. */
function createReusingPacker(): FramePacker | null {
  const { _handle, _writeState } = createZstdCompress({ params: zstdParams() }) as ZlibStreamInternals
  if (typeof _handle?.writeSync !== 'function' || _writeState?.length !== 2) return null
  const packReusing: FramePacker = (bytes, target, offset) => {
    const capacity = target.length - offset
    _writeState.fill(0)
    _handle.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, target, offset, capacity)
    const unused = _writeState[0] as number
    // ZSTD_e_end completes the frame unless the target is full. The context then starts a new frame by itself.
    if (unused === 0 || _writeState[1] !== 0) throw new Error('zstd did not finish a frame')
    return capacity - unused
  }
  return roundTrips(packReusing) ? packReusing : null
}

function roundTrips(packer: FramePacker): boolean {
  // Two frames: only the second shows that the context starts a new frame. The odd offset catches a handle that ignores
  // it.
  return ['first of two frames '.repeat(40), 'and the second, another one '.repeat(50)].every((text) => {
    const bytes = Buffer.from(text)
    const offset = 7
    const target = Buffer.alloc(compressBound(bytes.length) + offset)
    const length = packer(bytes, target, offset)
    return length < bytes.length && zstdDecompressSync(target.subarray(offset, offset + length)).equals(bytes)
  })
}
