/** A text reduced to what decides whether two passages mean the same, with the way back to the text as it is. */

export interface FoldRules {
  /**
   * `runs`: blanks at the end of a line do not count, and several count as one. `ignored`: neither does indentation, nor
   * an empty line, nor a blank that parts no two words.
   */
  readonly blanks: 'kept' | 'runs' | 'ignored'
  /** Typographic quotes, dashes and blanks are plain ones, composed and decomposed letters are one. */
  readonly plain: boolean
}

/** Unit n came from `text[starts[n]]` up to `text[ends[n]]`; several units may come from the same place. */
export interface Folded {
  readonly units: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export const NEW_LINE = 10
const SPACE = 32

/** Linear in the length of the text. Every kind of line end is one `\n`. */
export function fold(text: string, how: FoldRules): Folded {
  const made = writer(text.length)
  const { blanks } = how
  // A blank is written when what follows it is known: at a line's end none counts.
  let gapFrom = -1
  let gapTo = -1
  let lineIsEmpty = true
  const put = (unit: number, from: number, to: number): void => {
    if (blanks === 'kept') {
      made.put(unit, from, to)
      return
    }
    if (isBlank(unit)) {
      if (lineIsEmpty && blanks === 'runs') made.put(unit, from, to)
      else if (gapFrom < 0) gapFrom = from
      gapTo = to
      return
    }
    if (unit === NEW_LINE) {
      gapFrom = -1
      if (lineIsEmpty) {
        if (blanks === 'ignored') return
        // Indentation of a line that holds nothing else.
        while (made.length() > 0 && isBlank(made.last())) made.drop()
      }
      made.put(unit, from, to)
      lineIsEmpty = true
      return
    }
    if (gapFrom >= 0 && !lineIsEmpty && (blanks === 'runs' || (isWord(made.last()) && isWord(unit))))
      made.put(SPACE, gapFrom, gapTo)
    gapFrom = -1
    lineIsEmpty = false
    made.put(unit, from, to)
  }
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    if (unit === 13) {
      const length = text.charCodeAt(at + 1) === NEW_LINE ? 2 : 1
      put(NEW_LINE, at, at + length)
      at += length
    } else if (!how.plain || (unit < 0x80 && !(text.charCodeAt(at + 1) >= 0x300))) {
      put(unit, at, at + 1)
      at++
    } else {
      const to = clusterEnd(text, at)
      const plain = plainText(text.slice(at, to))
      for (let n = 0; n < plain.length; n++) put(plain.charCodeAt(n), at, to)
      at = to
    }
  }
  if (blanks === 'runs' && lineIsEmpty) while (made.length() > 0 && isBlank(made.last())) made.drop()
  return made.done()
}

/** Without the line ends it begins and ends with. */
export function trimLineEnds(folded: Folded): Folded {
  const { units } = folded
  let from = 0
  let to = units.length
  while (from < to && units[from] === NEW_LINE) from++
  while (to > from && units[to - 1] === NEW_LINE) to--
  return {
    units: units.subarray(from, to),
    starts: folded.starts.subarray(from, to),
    ends: folded.ends.subarray(from, to)
  }
}

/** Part of a name or a number: where two of them touch there is no place to begin or end. */
export function isWord(unit: number): boolean {
  if (unit < 0x80)
    return (
      (unit >= 48 && unit <= 57) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 97 && unit <= 122) ||
      unit === 95 ||
      unit === 36
    )
  // Half of a character outside the basic plane counts, so that none is ever cut.
  return (unit >= 0xd800 && unit <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 9 || unit === 11 || unit === 12
}

/** Letters of alphabets that are composed without marks (Hangul) extend a character, too. */
const EXTENDS = /[\p{M}\u1160-\u11ff]/u

/** Where the character that begins at `at` ends, with the marks that belong to it. */
function clusterEnd(text: string, at: number): number {
  let to = at + ((text.codePointAt(at) as number) > 0xffff ? 2 : 1)
  while (to < text.length && text.charCodeAt(to) >= 0x300) {
    const point = text.codePointAt(to) as number
    if (!EXTENDS.test(String.fromCodePoint(point))) break
    to += point > 0xffff ? 2 : 1
  }
  return to
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...pairs('\u2018\u2019\u201a\u201b\u2032\u02bc', "'"),
  ...pairs('\u201c\u201d\u201e\u201f\u2033', '"'),
  ...pairs('\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d', '-'),
  ...pairs('\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '),
  // Nobody sees these: zero-width blanks and joiners, byte order marks inside a text, soft hyphens.
  ...pairs('\u200b\u200c\u200d\u2060\ufeff\u00ad', ''),
  ...pairs('\u2026', '...')
])

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((one) => [one, to])
}

function plainText(cluster: string): string {
  return PLAIN.get(cluster) ?? cluster.normalize('NFC')
}

/** Grows what is written; most texts fold to no more than their own length. */
function writer(expected: number) {
  let size = Math.max(16, expected)
  let units = new Uint16Array(size)
  let starts = new Int32Array(size)
  let ends = new Int32Array(size)
  let length = 0
  const grow = (): void => {
    size *= 2
    const wider = [new Uint16Array(size), new Int32Array(size), new Int32Array(size)] as const
    wider[0].set(units)
    wider[1].set(starts)
    wider[2].set(ends)
    ;[units, starts, ends] = wider
  }
  return {
    put: (unit: number, from: number, to: number): void => {
      if (length === size) grow()
      units[length] = unit
      starts[length] = from
      ends[length++] = to
    },
    last: (): number => units[length - 1] ?? NEW_LINE,
    drop: (): void => {
      length--
    },
    length: (): number => length,
    done: (): Folded => ({
      units: units.subarray(0, length),
      starts: starts.subarray(0, length),
      ends: ends.subarray(0, length)
    })
  }
}
