/** Prints rows as a table, with their notes below. */
import type { Row } from './figure.ts'

export interface Machine {
  readonly node: string
  readonly system: string
  readonly cores: number
  readonly loadBefore: number
  readonly loadAfter: number
}

const COLUMNS = [
  ['figure', (row: Row) => row.figure],
  ['on', (row: Row) => row.on],
  ['Driftline', (row: Row) => row.ours],
  ['compared with', (row: Row) => row.theirs],
  ['result', (row: Row) => row.result],
  ['target', (row: Row) => row.target],
  ['', (row: Row) => (row.reached === null ? '' : row.reached ? 'yes' : 'NO')]
] as const

export function printTable(out: NodeJS.WritableStream, machine: Machine, rows: readonly Row[]): void {
  const cells = [COLUMNS.map(([title]) => title as string), ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row)))]
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const print = (line: readonly string[]): void => {
    out.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`
    )
  }
  out.write(
    `\nNode ${machine.node}, ${machine.system}, ${machine.cores} cores, load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after\n\n`
  )
  for (const [n, line] of cells.entries()) {
    print(line)
    if (n === 0) print(widths.map((width) => '-'.repeat(width)))
  }
  const noted = rows.filter((row) => row.note !== '')
  if (noted.length > 0) out.write('\n')
  for (const row of noted) out.write(`${row.figure}, ${row.on}: ${row.note}\n`)
}
