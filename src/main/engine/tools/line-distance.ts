/**
 * Levenshtein distance of two lines with an upper limit: the smallest number of units to insert, delete or replace. Only cells
 * within `limit` of the diagonal are computed (E. Ukkonen, "Algorithms for Approximate String Matching", 1985).
 */

/** The distance, or `limit + 1` when it is greater. `spend` is called with the number of cells before they are computed; it may throw. */
export function lineDistance(
  a: Uint16Array,
  b: Uint16Array,
  limit: number,
  spend: (cells: number) => void = () => {}
): number {
  let from = 0
  let endA = a.length
  let endB = b.length
  while (from < endA && from < endB && a[from] === b[from]) from++
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const rows = endA - from
  const columns = endB - from
  if (Math.abs(rows - columns) > limit) return limit + 1
  if (rows === 0 || columns === 0) return Math.max(rows, columns)
  spend(rows * Math.min(columns, 2 * limit + 1))
  // A cell farther than `limit` from the diagonal needs more than `limit` insertions or deletions.
  const tooFar = limit + 1
  const row = new Int32Array(columns + 1)
  for (let j = 0; j <= columns; j++) row[j] = j
  for (let i = 1; i <= rows; i++) {
    const first = Math.max(1, i - limit)
    const last = Math.min(columns, i + limit)
    let diagonal = row[first - 1]!
    row[first - 1] = first === 1 ? i : tooFar
    let least = row[first - 1]!
    for (let j = first; j <= last; j++) {
      const above = j === i + limit ? tooFar : row[j]!
      const changed = diagonal + (a[from + i - 1] === b[from + j - 1] ? 0 : 1)
      diagonal = row[j]!
      const cell = Math.min(changed, above + 1, row[j - 1]! + 1)
      row[j] = cell
      if (cell < least) least = cell
    }
    if (least > limit) return tooFar
  }
  return Math.min(row[columns]!, tooFar)
}
