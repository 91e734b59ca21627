/** What can be compared where a row of the timeline is selected. Pure. */
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { type DiffQuestion, diffOf } from './node.ts'
import type { NodeRow } from './rows.ts'

export type ComparisonId = 'own' | 'end-now' | 'start-now'

export interface Comparison {
  readonly id: ComparisonId
  /** From and to, in words. */
  readonly label: string
  readonly question: DiffQuestion
}

/** The row's own comparison first. `newer` is the entry above it. Empty while its details are on their way. */
export function comparisonsOf(node: NodeRow, newer: TimelineEntry | null): readonly Comparison[] {
  const question = diffOf(node, newer)
  if (!question) return []
  const own = (label: string): Comparison => ({ id: 'own', label, question })
  const now = (id: ComparisonId, label: string, target: string): Comparison => ({
    id,
    label: `${label} → on disk now`,
    question: { target, to: 'now' }
  })
  if (node.kind === 'point')
    return [own('checkpoint before → this checkpoint'), now('end-now', 'this checkpoint', node.point.id)]
  if (node.kind === 'turn' || node.kind === 'call') {
    const { target } = question
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
      return [own('then → on disk now')]
    case 'restore':
    case 'drift':
      return [
        own(question.to === 'now' ? 'before → on disk now' : 'before → after'),
        ...(question.to === 'now' ? [] : [now('start-now', 'before', entry.id)])
      ]
  }
}
