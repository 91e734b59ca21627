/** How many units have to be put in, taken out or changed to make one line from another, given up beyond a limit. */

/** The number of changes, or `limit + 1` when there are more. Work: length times limit; `spend` is told of it first. */
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
  // Cells further than `limit` from the diagonal cannot be part of a way that is short enough.
  const far = limit + 1
  const row = new Int32Array(columns + 1)
  for (let j = 0; j <= columns; j++) row[j] = j
  for (let i = 1; i <= rows; i++) {
    const first = Math.max(1, i - limit)
    const last = Math.min(columns, i + limit)
    let diagonal = row[first - 1]!
    row[first - 1] = first === 1 ? i : far
    let least = row[first - 1]!
    for (let j = first; j <= last; j++) {
      const above = j === i + limit ? far : row[j]!
      const changed = diagonal + (a[from + i - 1] === b[from + j - 1] ? 0 : 1)
      diagonal = row[j]!
      const cell = Math.min(changed, above + 1, row[j - 1]! + 1)
      row[j] = cell
      if (cell < least) least = cell
    }
    if (least > limit) return far
  }
  return Math.min(row[columns]!, far)
}
