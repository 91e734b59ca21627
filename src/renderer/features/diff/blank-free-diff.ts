/** Compares texts as if they had no whitespace, line breaks aside, as `git diff -w` does. Pure. */

/** 1-based; the end column is exclusive. */
export interface TextRange {
  readonly startLineNumber: number
  readonly startColumn: number
  readonly endLineNumber: number
  readonly endColumn: number
}

export interface InnerChange {
  readonly originalRange: TextRange
  readonly modifiedRange: TextRange
}

/** The part of Monaco's comparison of lines that is used here. */
export interface LinesComparison {
  readonly changes: readonly { readonly innerChanges?: readonly InnerChange[] | undefined }[]
}

export interface LinesComputer<Comparison extends LinesComparison> {
  computeDiff(original: readonly string[], modified: readonly string[], options: object): Comparison
}

/** The same computer for lines without whitespace; the ranges that it finds are those of the lines as they are. */
export function ignoringBlanks<Comparison extends LinesComparison>(
  computer: LinesComputer<Comparison>
): LinesComputer<Comparison> {
  return {
    computeDiff(original, modified, options) {
      const found = computer.computeDiff(original.map(withoutBlanks), modified.map(withoutBlanks), options)
      const changes = found.changes.map((change) => {
        const innerChanges = change.innerChanges?.map(({ originalRange, modifiedRange }) => ({
          originalRange: rangeIn(original, originalRange),
          modifiedRange: rangeIn(modified, modifiedRange)
        }))
        return { ...change, innerChanges }
      })
      return { ...found, changes }
    }
  }
}

function withoutBlanks(line: string): string {
  return line.replace(/\s+/g, '')
}

function rangeIn(lines: readonly string[], range: TextRange): TextRange {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = range
  const start = columnIn(lines[startLineNumber - 1] ?? '', startColumn, 'start')
  const end = columnIn(lines[endLineNumber - 1] ?? '', endColumn, 'end')
  const isEmpty = startLineNumber === endLineNumber && startColumn === endColumn
  return { startLineNumber, startColumn: start, endLineNumber, endColumn: isEmpty ? start : end }
}

/** The column in `line` of a column of it without whitespace: blanks at the ends of a range are outside. */
function columnIn(line: string, column: number, edge: 'start' | 'end'): number {
  let left = edge === 'start' ? column : column - 1
  if (left === 0) return 1
  for (const { index } of line.matchAll(/\S/g)) {
    left--
    if (left === 0) return edge === 'start' ? index + 1 : index + 2
  }
  return line.length + 1
}
