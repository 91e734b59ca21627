/** Aligned columns. Padding counts visible characters only, so coloured cells line up. */

const COLOUR = /\u001b\[[0-9;]*m/g

export function width(cell: string): number {
  return [...cell.replace(COLOUR, '')].length
}

/** Pads every column to its widest cell, except the last one. `right` holds the indexes of right-aligned columns. */
export function columns(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
  indent = ''
): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, i) => {
      if (i < row.length - 1) widths[i] = Math.max(widths[i] ?? 0, width(cell))
    })
  }
  return rows.map((row) => {
    const cells = row.map((cell, i) => {
      if (i === row.length - 1) return cell
      const pad = ' '.repeat(Math.max(0, (widths[i] ?? 0) - width(cell)))
      return right.includes(i) ? pad + cell : cell + pad
    })
    return `${indent}${cells.join('  ')}`.trimEnd()
  })
}
