/** Place of every row in the tree, for assistive technology: level, number of siblings, own number. */

import { levelOf, type Row } from './rows.ts'
import type { RowPlace } from './timeline-row.tsx'

/** `total`: entries that match, loaded or not. Days are not items of the tree. */
export function placesOf(rows: readonly Row[], total: number): RowPlace[] {
  /** Of the rows that are open, outermost first: which of their children was last. */
  const counts = [0, 0, 0]
  const places: { level: number; size: number; position: number }[] = []
  /** Indexes of the siblings met so far, by level. */
  const siblings: number[][] = [[], [], []]
  const settle = (level: number) => {
    for (const index of siblings[level - 1] ?? []) {
      const place = places[index]
      if (place) place.size = counts[level - 1] ?? 0
    }
    siblings[level - 1] = []
    counts[level - 1] = 0
  }
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'day') {
      places.push({ level: 1, size: total, position: counts[0] ?? 0 })
      continue
    }
    const level = levelOf(row)
    for (let deeper = 3; deeper > level; deeper--) settle(deeper)
    counts[level - 1] = (counts[level - 1] ?? 0) + 1
    if (level > 1) siblings[level - 1]?.push(index)
    places.push({ level, size: total, position: counts[level - 1] ?? 0 })
  }
  settle(3)
  settle(2)
  return places
}
