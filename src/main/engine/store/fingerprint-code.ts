/**
 * The WebAssembly module of fingerprint.ts, made here from its instructions (webassembly.github.io/spec/core/binary).
 *
 *   nh(message, key, end, out): for each 32 bytes of the message, as eight numbers of 32 bits m0 to m7, and for each pass p
 *     with the key that begins 16 * p bytes later:
 *       sum[p][0] += (m0 + k0) * (m4 + k4) + (m2 + k2) * (m6 + k6)
 *       sum[p][1] += (m1 + k1) * (m5 + k5) + (m3 + k3) * (m7 + k7)
 *   Sums of a number and its key are modulo 2^32, the others modulo 2^64. At `out` are the sums, to which it adds.
 */

/** Each makes a false match 2^32 times less probable. */
export const PASSES = 4
/** Bytes of the message that one step takes; its length is a multiple of it, and at least one. */
export const STEP = 32
/** Bytes of the key by which each pass is shifted, and bytes of its sums. */
export const VECTOR = 16
/** Bytes of a page of WebAssembly's memory. */
export const PAGE = 65_536

type Code = readonly number[]

/** An unsigned number as LEB128. */
function number(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)]
}

function list(entries: readonly Code[]): Code {
  return [...number(entries.length), ...entries.flat()]
}

function section(id: number, content: Code): Code {
  return [id, ...number(content.length), ...content]
}

const [I32, V128, NO_RESULT] = [0x7f, 0x7b, 0x40]
const get = (local: number): Code => [0x20, ...number(local)]
const set = (local: number): Code => [0x21, ...number(local)]
const tee = (local: number): Code => [0x22, ...number(local)]
const vector = (operation: number): Code => [0xfd, ...number(operation)]
const load = (offset: number): Code => [...vector(0x00), 0, ...number(offset)]
const store = (offset: number): Code => [...vector(0x0b), 0, ...number(offset)]
/** `i32.const` takes a signed LEB128, which is the same up to 63. */
const plus = (bytes: number): Code => [0x41, bytes, 0x6a]
const [ADD_32, ADD_64, MULTIPLY_LOW, MULTIPLY_HIGH] = [0xae, 0xce, 0xde, 0xdf].map(vector) as [Code, Code, Code, Code]
const [LOOP, REPEAT_IF_BELOW, END] = [[0x03, NO_RESULT], [0x49, 0x0d, 0], [0x0b]] as const satisfies readonly Code[]

const [MESSAGE, KEY, LAST, OUT, FIRST_HALF, SECOND_HALF, LEFT, RIGHT, SUMS] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
const KEYS = SUMS + PASSES
const VECTOR_LOCALS = 4 + PASSES + PASSES + 1

const times = (count: number, code: (n: number) => Code): Code =>
  Array.from({ length: count }, (_, n) => code(n)).flat()

function pass(n: number): Code {
  return [
    ...[...get(FIRST_HALF), ...get(KEYS + n), ...ADD_32, ...set(LEFT)],
    ...[...get(SECOND_HALF), ...get(KEYS + n + 1), ...ADD_32, ...set(RIGHT)],
    ...[...get(LEFT), ...get(RIGHT), ...MULTIPLY_LOW, ...get(LEFT), ...get(RIGHT), ...MULTIPLY_HIGH, ...ADD_64],
    ...[...get(SUMS + n), ...ADD_64, ...set(SUMS + n)]
  ]
}

function body(): Code {
  return [
    ...times(PASSES, (n) => [...get(OUT), ...load(n * VECTOR), ...set(SUMS + n)]),
    ...LOOP,
    ...[...get(MESSAGE), ...load(0), ...set(FIRST_HALF), ...get(MESSAGE), ...load(VECTOR), ...set(SECOND_HALF)],
    ...times(PASSES + 1, (n) => [...get(KEY), ...load(n * VECTOR), ...set(KEYS + n)]),
    ...times(PASSES, pass),
    ...[...get(KEY), ...plus(STEP), ...set(KEY)],
    ...[...get(MESSAGE), ...plus(STEP), ...tee(MESSAGE), ...get(LAST), ...REPEAT_IF_BELOW],
    ...END,
    ...times(PASSES, (n) => [...get(OUT), ...get(SUMS + n), ...store(n * VECTOR)]),
    ...END
  ]
}

/** Imports the shared memory `env.memory` of this many pages, and exports `nh`. */
export function fingerprintModule(pages: number): Uint8Array {
  const name = (text: string): Code => list([...Buffer.from(text)].map((byte) => [byte]))
  const nh = [...list([[...number(VECTOR_LOCALS), V128]]), ...body()]
  return Uint8Array.from([
    ...[0x00, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, list([[0x60, ...list([[I32], [I32], [I32], [I32]]), 0]])),
    ...section(2, list([[...name('env'), ...name('memory'), 2, 3, ...number(pages), ...number(pages)]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...name('nh'), 0, 0]])),
    ...section(10, list([[...number(nh.length), ...nh]]))
  ])
}
