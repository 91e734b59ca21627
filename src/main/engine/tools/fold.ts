/**
 * Folds a text: replaces everything that a comparison ignores by one form, and remembers for each folded unit where it
 * came from. Two passages that are equal after folding match, and the match can be mapped back to offsets in the
 * original text.
 */

export interface FoldRules {
  /**
   * `kept`: blanks are compared. `runs`: blanks at line ends are dropped, and a run of blanks counts as one. `ignored`:
   * as `runs`, and indentation, empty lines and blanks that separate no two words are dropped, too.
   */
  readonly blanks: 'kept' | 'runs' | 'ignored'
  /** Typographic quotes, dashes and blanks become ASCII, and letters are composed (Unicode NFC). */
  readonly plain: boolean
}

/** Unit n comes from `text.slice(starts[n], ends[n])`. Several units may have the same source. */
export interface Folded {
  readonly units: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export const NEW_LINE = 10
const SPACE = 32

/** Linear in the length of the text. Every kind of line end becomes `\n`. */
export function fold(text: string, rules: FoldRules): Folded {
  const folded = createWriter(text.length)
  const { blanks } = rules
  // The source of a pending run of blanks, -1 = none. It is written when the next unit is known: at a line end it is
  // dropped.
  let gapFrom = -1
  let gapTo = -1
  let lineIsEmpty = true
  const put = (unit: number, from: number, to: number): void => {
    if (blanks === 'kept') {
      folded.put(unit, from, to)
      return
    }
    if (isBlank(unit)) {
      if (lineIsEmpty && blanks === 'runs') folded.put(unit, from, to)
      else if (gapFrom < 0) gapFrom = from
      gapTo = to
      return
    }
    if (unit === NEW_LINE) {
      gapFrom = -1
      if (lineIsEmpty) {
        if (blanks === 'ignored') return
        // The line had nothing but indentation.
        while (folded.length() > 0 && isBlank(folded.last())) folded.drop()
      }
      folded.put(unit, from, to)
      lineIsEmpty = true
      return
    }
    if (gapFrom >= 0 && !lineIsEmpty && (blanks === 'runs' || (isWord(folded.last()) && isWord(unit))))
      folded.put(SPACE, gapFrom, gapTo)
    gapFrom = -1
    lineIsEmpty = false
    folded.put(unit, from, to)
  }
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    if (unit === 13) {
      const length = text.charCodeAt(at + 1) === NEW_LINE ? 2 : 1
      put(NEW_LINE, at, at + length)
      at += length
    } else if (!rules.plain || (unit < 0x80 && !(text.charCodeAt(at + 1) >= 0x300))) {
      put(unit, at, at + 1)
      at++
    } else {
      const to = clusterEnd(text, at)
      const plain = plainText(text.slice(at, to))
      for (let n = 0; n < plain.length; n++) put(plain.charCodeAt(n), at, to)
      at = to
    }
  }
  if (blanks === 'runs' && lineIsEmpty) while (folded.length() > 0 && isBlank(folded.last())) folded.drop()
  return folded.done()
}

/** Drops leading and trailing line ends. */
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

/** Part of a name or number: a match must not begin or end between two of these. */
export function isWord(unit: number): boolean {
  if (unit < 0x80)
    return (
      (unit >= 48 && unit <= 57) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 97 && unit <= 122) ||
      unit === 95 ||
      unit === 36
    )
  // Surrogates count, so that a character outside the basic plane is never split.
  return (unit >= 0xd800 && unit <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 9 || unit === 11 || unit === 12
}

/** Combining marks, and Hangul jamo, which are composed without marks. */
const EXTENDS = /[\p{M}\u1160-\u11ff]/u

/** End of the character that begins at `at`, including its combining marks. */
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
  // Invisible: zero-width spaces and joiners, byte order marks inside the text, soft hyphens.
  ...pairs('\u200b\u200c\u200d\u2060\ufeff\u00ad', ''),
  ...pairs('\u2026', '...')
])

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((character) => [character, to])
}

function plainText(cluster: string): string {
  return PLAIN.get(cluster) ?? cluster.normalize('NFC')
}

/** Typed arrays that grow. Most texts fold to at most their own length, so growing is rare. */
function createWriter(expected: number) {
  let size = Math.max(16, expected)
  let units = new Uint16Array(size)
  let starts = new Int32Array(size)
  let ends = new Int32Array(size)
  let length = 0
  const grow = (): void => {
    size *= 2
    const larger = [new Uint16Array(size), new Int32Array(size), new Int32Array(size)] as const
    larger[0].set(units)
    larger[1].set(starts)
    larger[2].set(ends)
    ;[units, starts, ends] = larger
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
