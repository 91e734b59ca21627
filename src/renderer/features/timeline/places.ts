/** Place of every row in the tree, for assistive technology: level, number of siblings, own number. */

import type { Row } from './rows.ts'
import type { RowPlace } from './timeline-row.tsx'

/** `total`: entries that match, loaded or not. Days are not items of the tree. */
export function placesOf(rows: readonly Row[], total: number): RowPlace[] {
  let entry = 0
  let child = 0
  const children = rows.filter((row) => row.kind === 'turn' || row.kind === 'start').length
  return rows.map((row) => {
    if (row.kind === 'entry') {
      child = 0
      return { level: 1, size: total, position: ++entry }
    }
    if (row.kind === 'day') return { level: 1, size: total, position: entry }
    return { level: 2, size: children, position: ++child }
  })
}
