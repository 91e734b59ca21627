/**
 * Contents around and above the size from which they are stored in chunks, each a small edit of another. Histories name
 * them (`<large 1>`), so that a counterexample can be read.
 */

const CHUNKED = 1 << 20
const LINE = 64

/** Half of each line cannot be compressed. The same in each process. */
function lines(count: number): string[] {
  let x = 0x9e3779b9
  const next = (): number => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x >>> 0
  }
  const word = (): string => next().toString(16).padStart(8, '0')
  return Array.from(
    { length: count },
    (_, n) => `${`line ${n} `.padEnd(LINE - 33, '.')}${word()}${word()}${word()}${word()}\n`
  )
}

const BASE = lines(CHUNKED / LINE + 1000)
const replaced = (at: number, ...by: string[]): string => BASE.with(at, by.join('')).join('')
const below = BASE.slice(0, CHUNKED / LINE - 1)

const CONTENTS: readonly Buffer[] = [
  BASE.join(''),
  replaced(9000, 'another line\n'),
  replaced(0, 'new\n', 'lines\n', BASE[0] as string),
  `${BASE.join('')}and the end\n`,
  // In one piece, and so with deltas.
  below.join(''),
  below.with(3000, 'another line\n').join(''),
  // Chunks of other contents in another order, and one that is twice in it.
  [...BASE.slice(8000), ...BASE.slice(0, 8000), ...BASE.slice(8000, 12_000)].join(''),
  `\0${BASE.join('').slice(1)}`
].map((text) => Buffer.from(text, 'latin1'))

export const LARGE_TEXTS: readonly string[] = CONTENTS.map((_, n) => `<large ${n}>`)

/** The bytes of a text of a history. */
export function bytesOf(text: string): Buffer {
  return CONTENTS[LARGE_TEXTS.indexOf(text)] ?? Buffer.from(text, 'latin1')
}
