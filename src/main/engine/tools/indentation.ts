/** Gives new lines the indentation of the place they come to, learnt from lines that stand there already. */

/** How a line is indented in what was asked for, and how the same line is indented in the file. */
export interface IndentPair {
  readonly quoted: string
  readonly actual: string
}

export function indentOf(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? ''
}

/** A line with the file's indentation. `pairs`: one per line with words, `near`: the one nearest to where the line goes. */
export function reindent(line: string, pairs: readonly IndentPair[], near: number): string {
  const asked = indentOf(line)
  const words = line.slice(asked.length)
  return words === '' ? '' : indentFor(asked, pairs, near) + words
}

function indentFor(asked: string, pairs: readonly IndentPair[], near: number): string {
  const same = nearest(pairs, near, (pair) => pair.quoted === asked)
  if (same) return same.actual
  // Deeper than a line that is known: the rest is added to it.
  const outer = longest(pairs, near, (pair) => asked.startsWith(pair.quoted))
  if (outer) return outer.actual + converted(asked.slice(outer.quoted.length), pairs)
  // Less deep than every line that is known: as much is taken from the shallowest.
  const inner = shortest(pairs, near, (pair) => pair.quoted.startsWith(asked))
  if (!inner) return asked
  const less = converted(inner.quoted.slice(asked.length), pairs)
  return inner.actual.endsWith(less) ? inner.actual.slice(0, inner.actual.length - less.length) : ''
}

/** Steps of the one kind of indentation as steps of the other, where the known lines say how many blanks a tab stands for. */
function converted(steps: string, pairs: readonly IndentPair[]): string {
  for (const { quoted, actual } of pairs) {
    const toTabs = /^ +$/.test(quoted) && /^\t+$/.test(actual) && /^ *$/.test(steps)
    if (toTabs && quoted.length % actual.length === 0) {
      const width = quoted.length / actual.length
      return '\t'.repeat(Math.floor(steps.length / width)) + ' '.repeat(steps.length % width)
    }
    const toBlanks = /^\t+$/.test(quoted) && /^ +$/.test(actual) && /^\t*$/.test(steps)
    if (toBlanks && actual.length % quoted.length === 0) return ' '.repeat(steps.length * (actual.length / quoted.length))
    const wider = /^ +$/.test(quoted) && /^ +$/.test(actual) && /^ *$/.test(steps)
    if (wider && isOtherWidth(pairs) && (steps.length * actual.length) % quoted.length === 0)
      return ' '.repeat((steps.length * actual.length) / quoted.length)
  }
  return steps
}

/** The same depth is written with another number of blanks: every line's indentation is the same multiple. */
function isOtherWidth(pairs: readonly IndentPair[]): boolean {
  const first = pairs.find((pair) => pair.quoted !== '')
  // One depth alone does not tell a wider step from one step more.
  if (!first || pairs.every((pair) => pair.quoted === first.quoted)) return false
  return pairs.every((pair) => pair.actual.length * first.quoted.length === pair.quoted.length * first.actual.length)
}

function nearest(
  pairs: readonly IndentPair[],
  near: number,
  fits: (pair: IndentPair) => boolean
): IndentPair | undefined {
  for (let step = 0; step <= pairs.length; step++) {
    for (const at of [near - step, near + step]) {
      const one = pairs[at]
      if (one && fits(one)) return one
    }
  }
  return undefined
}

function longest(pairs: readonly IndentPair[], near: number, fits: (pair: IndentPair) => boolean) {
  const length = pairs.reduce((most, pair) => (fits(pair) ? Math.max(most, pair.quoted.length) : most), -1)
  return nearest(pairs, near, (pair) => fits(pair) && pair.quoted.length === length)
}

function shortest(pairs: readonly IndentPair[], near: number, fits: (pair: IndentPair) => boolean) {
  const length = pairs.reduce((least, pair) => (fits(pair) ? Math.min(least, pair.quoted.length) : least), Infinity)
  return nearest(pairs, near, (pair) => fits(pair) && pair.quoted.length === length)
}
