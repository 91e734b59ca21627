/**
 * The selection: one row of the timeline, or two to compare. Pure.
 * It remembers rows and looks them up by key in each new list, so that it follows them as they change and survives a
 * filter that hides them. Until a person selects something, the newest entry is selected, whichever that is.
 */
import { isSelectable, type Row, type SelectableRow } from '../model/timeline-rows.ts'

export interface Selected {
  readonly node: SelectableRow
  /** Second row of a comparison, null if one row is selected. */
  readonly against: SelectableRow | null
  /** The newer row is the left side. */
  readonly swapped: boolean
}

/** The rows as last shown, used while a filter hides them. */
export type SelectionMemory = Selected

/** The newest entry is selected until the person selects or uses something. Without rows, `before` stays. */
export function selectedIn(
  rows: readonly Row[],
  memory: SelectionMemory | null,
  before: Selected | null
): Selected | null {
  if (!memory) {
    const first = rows.find((row) => row.kind === 'entry')
    return first ? selectionOf(first) : before
  }
  const { node, against, swapped } = memory
  return { node: current(rows, node), against: against && current(rows, against), swapped }
}

/** One row is selected. */
export function selectionOf(row: SelectableRow): SelectionMemory {
  return { node: row, against: null, swapped: false }
}

/** A row is compared with the selected one; selected where there is none, or where it is that one. */
export function extended(base: SelectionMemory | null, row: SelectableRow): SelectionMemory {
  if (!base || base.node.key === row.key) return selectionOf(row)
  return { node: base.node, against: row, swapped: false }
}

function current(rows: readonly Row[], remembered: SelectableRow): SelectableRow {
  const row = rows.find(({ key }) => key === remembered.key)
  return isSelectable(row) ? row : remembered
}
