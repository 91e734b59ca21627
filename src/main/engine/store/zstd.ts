/**
 * Compresses and decompresses many small inputs without the stream object that `zstdCompressSync` and
 * `zstdDecompressSync` create per call, which for a small file costs several times as much as its compression.
 *
 * Node exposes this only below its public API: the `_handle` of a zlib stream, which npm's minizlib uses as well. So
 * each handle is tested before its first use; if it does not produce what it should, the public functions are used.
 */
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { frameSize, prefixedBound, withPrefix } from './zstd-prefix.ts'

/** Level 3 is zstd's default. A function, because reading zlib's constants loads the module, and hooks start fast. */
function zstdParams(checksum: 0 | 1 = 0): Record<number, number> {
  return { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: checksum }
}

/** Upper bound of a frame's length for any input of `size` bytes; zstd's own ZSTD_COMPRESSBOUND is smaller. */
export function compressBound(size: number): number {
  return size + (size >> 7) + 256
}

let framePacker: FramePacker | null = null
let checkedPacker: FramePacker | null = null
let deltaPacker: FramePacker | null = null
let frameUnpacker: FrameUnpacker | null = null

/**
 * Compresses `bytes` to one zstd frame at `offset` of `target`, and returns its length. `target` must have
 * `compressBound(bytes.length)` bytes after `offset`.
 */
export function packFrame(bytes: Uint8Array, target: Uint8Array, offset: number, dictionary?: Uint8Array): number {
  if (dictionary) {
    deltaPacker ??= reusing(createDeltaPacker, packsFrames(SAMPLE)) ?? packWithNewContext
    return deltaPacker(bytes, target, offset, dictionary)
  }
  framePacker ??= reusing(() => createFramePacker(zstdParams()), packsFrames()) ?? packWithNewContext
  return framePacker(bytes, target, offset)
}

/** Like `packFrame`, with a checksum of the bytes at the end of the frame: for bytes that no hash verifies. */
export function packCheckedFrame(bytes: Uint8Array, target: Uint8Array, offset: number): number {
  checkedPacker ??=
    reusing(() => createFramePacker(zstdParams(1)), packsFrames()) ??
    ((from, to, at) => packWithNewContext(from, to, at, undefined, zstdParams(1)))
  return checkedPacker(bytes, target, offset)
}

/**
 * The `size` bytes of a frame. Throws zlib's error on a damaged frame and on one that holds more, before it takes the
 * memory; returns fewer bytes if the frame holds fewer.
 */
export function unpackFrame(frame: Uint8Array, size: number, dictionary?: Uint8Array): Buffer {
  frameUnpacker ??= reusing(createUnpacker, unpacksFrames) ?? (() => null)
  // Where only a limit is known, as for a chunk, the frame says what it holds.
  const held = Math.min(size, frameSize(frame) ?? size)
  const unpacked = held <= MOST_AT_ONCE ? frameUnpacker(frame, held, dictionary) : null
  if (unpacked) return unpacked
  // Damaged, of another size, or large: the public function says what it is.
  return zstdDecompressSync(frame, { ...(dictionary && { dictionary }), maxOutputLength: Math.max(size, 1) })
}

/** Bytes. For larger contents creating a stream object costs nothing in comparison. */
const MOST_AT_ONCE = 1024 * 1024

type FramePacker = (bytes: Uint8Array, target: Uint8Array, offset: number, dictionary?: Uint8Array) => number
/** Null unless the frame is whole and holds exactly `size` bytes. */
type FrameUnpacker = (frame: Uint8Array, size: number, dictionary?: Uint8Array) => Buffer | null

/**
 * The internals of a zlib stream. `init` starts over with a dictionary. `writeSync` leaves [unused bytes of the target,
 * unread bytes of the input] in `_writeState`, and calls `onerror` if it fails.
 */
interface ZlibHandle {
  init(
    params: Uint32Array,
    inputSize: undefined,
    writeState: Uint32Array,
    onWritten: () => void,
    dictionary: Uint8Array | undefined
  ): void
  writeSync(
    flush: number,
    input: Uint8Array,
    inputOffset: number,
    inputLength: number,
    output: Uint8Array,
    outputOffset: number,
    outputLength: number
  ): void
  onerror: () => void
}

interface ZlibStreamInternals {
  readonly _handle?: Partial<ZlibHandle>
  readonly _writeState?: Uint32Array
}

/** One call of `writeSync`: how much of both sides it left; null if it failed. */
type Write = (
  flush: number,
  input: Uint8Array,
  output: Uint8Array,
  offset: number
) => { readonly unused: number; readonly unread: number } | null

type Create = (options: { readonly dictionary?: Uint8Array; readonly params?: Record<number, number> }) => object

/**
 * Throws unless `init` takes the arguments of `ZlibHandle`: Node ends the process if it gets others. Shown by those that
 * Node's own streams pass.
 */
function checkInit(create: Create): void {
  const { _handle } = create({}) as ZlibStreamInternals
  const prototype = Object.getPrototypeOf(_handle) as { init: (...values: unknown[]) => unknown }
  const { init } = prototype
  const calls: unknown[][] = []
  prototype.init = function (...values) {
    calls.push(values)
    return init.apply(this, values)
  }
  try {
    create({ dictionary: SAMPLE })
    create({})
  } finally {
    prototype.init = init
  }
  const isExpected = ([params, size, state, written, dictionary, ...more]: unknown[], n: number): boolean =>
    params instanceof Uint32Array &&
    size === undefined &&
    state instanceof Uint32Array &&
    typeof written === 'function' &&
    dictionary === [SAMPLE, undefined][n] &&
    more.length === 0
  if (calls.length !== 2 || !calls.every(isExpected)) throw new Error('zlib has another init')
}

/** Throws if this version of Node has no such handle. */
function handleOf(stream: object): { readonly handle: ZlibHandle; readonly writeState: Uint32Array; write: Write } {
  const { _handle, _writeState: writeState } = stream as ZlibStreamInternals
  if (typeof _handle?.writeSync !== 'function' || typeof _handle.init !== 'function' || writeState?.length !== 2)
    throw new Error('zlib has no such handle')
  const handle = _handle as ZlibHandle
  let failed = false
  handle.onerror = () => {
    failed = true
  }
  const write: Write = (flush, input, output, offset) => {
    failed = false
    writeState.fill(0)
    handle.writeSync(flush, input, 0, input.length, output, offset, output.length - offset)
    return failed ? null : { unused: writeState[0] as number, unread: writeState[1] as number }
  }
  return { handle, writeState, write }
}

/** zlib's value for a parameter that is not set. */
const UNSET = 0xffffffff
const noop = (): void => {}

function createFramePacker(params: Record<number, number>): FramePacker {
  const { write } = handleOf(createZstdCompress({ params }))
  return (bytes, target, offset) => {
    // ZSTD_e_end completes the frame unless the target is full. The context then starts a new frame by itself.
    return frameLength(write(constants.ZSTD_e_end, bytes, target, offset), target.length - offset)
  }
}

function createDeltaPacker(): FramePacker {
  checkInit(createZstdCompress)
  const { handle, writeState, write } = handleOf(createZstdCompress({ params: zstdParams() }))
  const params = new Uint32Array(constants.ZSTD_c_compressionLevel + 1).fill(UNSET)
  params[constants.ZSTD_c_compressionLevel] = zstdParams()[constants.ZSTD_c_compressionLevel] as number
  return (bytes, target, offset, dictionary) => {
    handle.init(params, undefined, writeState, noop, dictionary)
    return frameLength(write(constants.ZSTD_e_end, bytes, target, offset), target.length - offset)
  }
}

function frameLength(written: ReturnType<Write>, capacity: number): number {
  if (!written || written.unused === 0 || written.unread !== 0) throw new Error('zstd did not finish a frame')
  return capacity - written.unused
}

function packWithNewContext(
  bytes: Uint8Array,
  target: Uint8Array,
  offset: number,
  dictionary?: Uint8Array,
  params = zstdParams()
): number {
  const frame = zstdCompressSync(bytes, { params, ...(dictionary && { dictionary }) })
  target.set(frame, offset)
  return frame.length
}

/**
 * A new context takes 70 us, far more than a small frame, so one serves all frames until one fails. A dictionary would
 * need a new context each time, so it is put into the frame instead (zstd-prefix.ts).
 */
function createUnpacker(): FrameUnpacker {
  const create = (): Write => handleOf(createZstdDecompress()).write
  let write = create()
  /** Whether the frame was whole and left one byte of the target: exactly then it holds no more than it should. */
  const unpackTo = (target: Uint8Array, frame: Uint8Array): boolean => {
    const left = write(constants.ZSTD_e_end, frame, target, 0)
    if (left?.unused === 1 && left.unread === 0) return true
    write = create()
    return false
  }
  let scratch = Buffer.alloc(0)
  return (frame, size, dictionary) => {
    if (!dictionary) {
      const target = Buffer.allocUnsafe(size + 1)
      return unpackTo(target, frame) ? target.subarray(0, size) : null
    }
    const whole = dictionary.length + size + 1
    const room = whole + prefixedBound(frame, dictionary)
    if (scratch.length < room) scratch = Buffer.allocUnsafeSlow(room * 2)
    const prefixed = withPrefix(frame, dictionary, size, scratch.subarray(whole))
    if (!prefixed || !unpackTo(scratch.subarray(0, whole), prefixed)) return null
    const bytes = Buffer.allocUnsafe(size)
    scratch.copy(bytes, 0, dictionary.length, whole - 1)
    return bytes
  }
}

const SAMPLE = Buffer.from('a dictionary: the first of two frames '.repeat(30))

/** Null if this version of Node has no such handle, or one that behaves differently. */
function reusing<F>(create: () => F, isRight: (made: F) => boolean): F | null {
  try {
    const made = create()
    return isRight(made) ? made : null
  } catch {
    return null
  }
}

function packsFrames(dictionary?: Buffer): (packer: FramePacker) => boolean {
  // Two frames: only the second shows that a new frame is started. The odd offset catches a handle that ignores it.
  return (packer) =>
    ['first of two frames '.repeat(40), 'and the second, another one '.repeat(50)].every((text) => {
      const bytes = Buffer.from(text)
      const offset = 7
      const target = Buffer.alloc(compressBound(bytes.length) + offset)
      const length = packer(bytes, target, offset, dictionary)
      const frame = target.subarray(offset, offset + length)
      return length < bytes.length && zstdDecompressSync(frame, { ...(dictionary && { dictionary }) }).equals(bytes)
    })
}

/** Frames with and without a dictionary, each after one that is cut off. */
function unpacksFrames(unpacker: FrameUnpacker): boolean {
  return [SAMPLE, undefined, Buffer.from('another one '.repeat(9))].every((dictionary) => {
    const bytes = Buffer.from(`and the second ${dictionary?.toString() ?? ''}`.repeat(3))
    const frame = zstdCompressSync(bytes, { params: zstdParams(), ...(dictionary && { dictionary }) })
    const cut = frame.subarray(0, frame.length - 2)
    return (
      unpacker(cut, bytes.length, dictionary) === null &&
      unpacker(frame, bytes.length - 1, dictionary) === null &&
      unpacker(frame, bytes.length, dictionary)?.equals(bytes) === true
    )
  })
}
