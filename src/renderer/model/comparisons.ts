/** The comparisons offered for a selected timeline row. Pure. */
import type { TimelineEntry } from '../../contract/timeline.ts'
import { type DiffQuery, diffQueryOf } from './row-targets.ts'
import type { SelectableRow } from './timeline-rows.ts'

export type ComparisonId = 'own' | 'end-now' | 'start-now'

export interface Comparison {
  readonly id: ComparisonId
  /** Both sides: "start → end of run". */
  readonly label: string
  readonly query: DiffQuery
}

/** The row's own comparison is first. `newer` is the entry above the row. Empty while the row's details are loading. */
export function comparisonsFor(node: SelectableRow, newer: TimelineEntry | null): readonly Comparison[] {
  const query = diffQueryOf(node, newer)
  if (!query) return []
  const own = (label: string): Comparison => ({ id: 'own', label, query })
  const now = (id: ComparisonId, label: string, target: string): Comparison => ({
    id,
    label: `${label} → on disk now`,
    query: { target, to: 'now' }
  })
  if (node.kind === 'checkpoint')
    return [own('previous checkpoint → this checkpoint'), now('end-now', 'this checkpoint', node.checkpoint.id)]
  if (node.kind === 'turn' || node.kind === 'call') {
    const { target } = query
    return [
      own('start → end of turn'),
      now('end-now', 'end of turn', `${target}:end`),
      now('start-now', 'start of turn', `${target}:start`)
    ]
  }
  const entry = node.kind === 'entry' ? node.entry : node.run
  switch (entry.kind) {
    case 'run':
      return [
        own('start → end of run'),
        ...(entry.state === 'live' ? [] : [now('end-now', 'end of run', `${entry.id}:end`)]),
        now('start-now', 'start of run', `${entry.id}:start`)
      ]
    case 'checkpoint':
      return [own('this checkpoint → on disk now')]
    case 'restore':
    case 'drift':
      return [
        own(query.to === 'now' ? 'before → on disk now' : 'before → after'),
        ...(query.to === 'now' ? [] : [now('start-now', 'before', entry.id)])
      ]
  }
}
