/**
 * Adapts the indentation of new lines to the file. An agent's quote of a passage may be indented differently from the
 * passage in the file: deeper, less deep, with tabs for spaces, or with another width. The pairs of a quoted line and
 * the same line in the file show how, and new lines are converted the same way.
 */

/** The indentation of one line, in the quote and in the file. */
export interface IndentPair {
  readonly quoted: string
  readonly actual: string
}

export function indentOf(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? ''
}

/**
 * A new line with the file's indentation. `pairs`: one per quoted line with text, in order; `near`: index of the
 * nearest one.
 */
export function reindent(line: string, pairs: readonly IndentPair[], near: number): string {
  const indent = indentOf(line)
  const text = line.slice(indent.length)
  return text === '' ? '' : indentFor(indent, pairs, near) + text
}

function indentFor(indent: string, pairs: readonly IndentPair[], near: number): string {
  const same = nearest(pairs, near, (pair) => pair.quoted === indent)
  if (same) return same.actual
  // Deeper than a known line: keep the difference, converted.
  const outer = extreme(pairs, near, 1, (pair) => indent.startsWith(pair.quoted))
  if (outer) return outer.actual + convert(indent.slice(outer.quoted.length), pairs)
  // Less deep than every known line: remove the difference from the shallowest one.
  const inner = extreme(pairs, near, -1, (pair) => pair.quoted.startsWith(indent))
  if (!inner) return indent
  const difference = convert(inner.quoted.slice(indent.length), pairs)
  return inner.actual.endsWith(difference) ? inner.actual.slice(0, inner.actual.length - difference.length) : ''
}

/**
 * Converts part of a quoted indentation to the file's kind: spaces to tabs, tabs to spaces, or another number of spaces
 * per step.
 */
function convert(steps: string, pairs: readonly IndentPair[]): string {
  for (const { quoted, actual } of pairs) {
    const toTabs = /^ +$/.test(quoted) && /^\t+$/.test(actual) && /^ *$/.test(steps)
    if (toTabs && quoted.length % actual.length === 0) {
      const width = quoted.length / actual.length
      return '\t'.repeat(Math.floor(steps.length / width)) + ' '.repeat(steps.length % width)
    }
    const toSpaces = /^\t+$/.test(quoted) && /^ +$/.test(actual) && /^\t*$/.test(steps)
    if (toSpaces && actual.length % quoted.length === 0)
      return ' '.repeat(steps.length * (actual.length / quoted.length))
    const wider = /^ +$/.test(quoted) && /^ +$/.test(actual) && /^ *$/.test(steps)
    if (wider && hasOtherStepWidth(pairs) && (steps.length * actual.length) % quoted.length === 0)
      return ' '.repeat((steps.length * actual.length) / quoted.length)
  }
  return steps
}

/** The file uses another number of spaces per step: the ratio of all pairs is the same. */
function hasOtherStepWidth(pairs: readonly IndentPair[]): boolean {
  const first = pairs.find((pair) => pair.quoted !== '')
  // With a single depth, a wider step cannot be told from one step more.
  if (!first || pairs.every((pair) => pair.quoted === first.quoted)) return false
  return pairs.every((pair) => pair.actual.length * first.quoted.length === pair.quoted.length * first.actual.length)
}

/** The matching pair with the smallest distance from `near`. */
function nearest(
  pairs: readonly IndentPair[],
  near: number,
  fits: (pair: IndentPair) => boolean
): IndentPair | undefined {
  for (let step = 0; step <= pairs.length; step++) {
    for (const at of [near - step, near + step]) {
      const pair = pairs[at]
      if (pair && fits(pair)) return pair
    }
  }
  return undefined
}

/** Of the matching pairs the nearest with the longest (`sign` 1) or shortest (-1) quoted indentation. */
function extreme(pairs: readonly IndentPair[], near: number, sign: 1 | -1, fits: (pair: IndentPair) => boolean) {
  const lengths = pairs.filter(fits).map((pair) => sign * pair.quoted.length)
  const best = lengths.reduce((most, length) => Math.max(most, length), -Infinity)
  return nearest(pairs, near, (pair) => fits(pair) && sign * pair.quoted.length === best)
}
