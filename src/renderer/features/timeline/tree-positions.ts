/** The position of every row in the tree for assistive technology: level, number of siblings, own number. Pure. */

import type { TreePosition } from './timeline-row.tsx'
import { type Row, rowLevel } from './timeline-rows.ts'

/** `total`: matching entries, loaded or not. Day headings are no tree items and do not count. */
export function treePositions(rows: readonly Row[], total: number): TreePosition[] {
  /** By level: number of the last sibling so far. */
  const lastNumber = [0, 0, 0]
  const result: { level: number; size: number; position: number }[] = []
  /** By level: row indexes of the siblings so far; their `size` is set when the group ends. */
  const siblings: number[][] = [[], [], []]
  const closeGroup = (level: number) => {
    for (const index of siblings[level - 1] ?? []) {
      const item = result[index]
      if (item) item.size = lastNumber[level - 1] ?? 0
    }
    siblings[level - 1] = []
    lastNumber[level - 1] = 0
  }
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'day') {
      result.push({ level: 1, size: total, position: lastNumber[0] ?? 0 })
      continue
    }
    const level = rowLevel(row)
    for (let deeper = 3; deeper > level; deeper--) closeGroup(deeper)
    lastNumber[level - 1] = (lastNumber[level - 1] ?? 0) + 1
    if (level > 1) siblings[level - 1]?.push(index)
    result.push({ level, size: total, position: lastNumber[level - 1] ?? 0 })
  }
  closeGroup(3)
  closeGroup(2)
  return result
}
