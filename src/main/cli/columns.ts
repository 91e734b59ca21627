/** Aligned columns. Padding counts visible characters only, so coloured cells line up. */

const COLOUR = /\u001b\[[0-9;]*m/g

function width(cell: string): number {
  return [...cell.replace(COLOUR, '')].length
}

/** Pads every column to its widest cell, except the last one. */
export function columns(rows: readonly (readonly string[])[], indent = ''): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.slice(0, -1).entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell))
  }
  const pad = (cell: string, i: number): string => cell + ' '.repeat(widths[i]! - width(cell))
  return rows.map((row) => {
    const cells = [...row.slice(0, -1).map(pad), ...row.slice(-1)]
    return `${indent}${cells.join('  ')}`.trimEnd()
  })
}
