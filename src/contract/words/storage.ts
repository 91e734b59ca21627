/** The words of sweeps and searches that were not done completely. Pure. */
import type { SearchResult } from '../search.ts'
import type { Postponed, PrunedContent, SweepNote } from '../storage.ts'
import { formatNumber, plural } from './numbers.ts'

const POSTPONED: Readonly<Record<Postponed['why'], string>> = {
  readers: 'Another process is reading the history',
  writer: 'Another process is writing to the history',
  'live-run': 'A run is live',
  'no-room': 'The disk has too little free space to rewrite the history'
}
const ERASED_LATER =
  'deleted content is erased from the file later: automatically while Driftline is open, or with "driftline gc". It is not shown anywhere meanwhile.'

/** A sentence; "" without a note. */
export function sweepNoteText(note: SweepNote | null): string {
  switch (note?.code) {
    case undefined:
      return ''
    case 'copying':
      return 'The initial snapshot is not complete. Nothing was deleted; try again when it is.'
    case 'running':
      return 'Another cleanup of this history is running. Nothing was deleted by this one.'
    case 'over-budget':
      return `History is still ${Math.ceil(note.bytes / 1e6)} MB over its budget: pins, guards and the runs of the last ${note.days === 1 ? 'day' : `${note.days} days`} need it. Raise the budget or keep fewer days.`
    case 'postponed':
      return `${POSTPONED[note.why]}, so ${note.erases ? ERASED_LATER : 'the disk space is freed a little later.'}`
  }
}

/** One line of what a sweep removed. */
export function prunedText(pruned: PrunedContent): string {
  switch (pruned.code) {
    case 'older':
      return `${pruned.path}: ${plural(pruned.versions, 'older version')}`
    case 'excluded':
      return `${pruned.path}: ${plural(pruned.versions, 'stored version')}`
    case 'more-files':
      return plural(pruned.count, 'more file')
    case 'unreferenced':
      return plural(pruned.count, 'unreferenced content')
    case 'incomplete':
      return plural(pruned.count, 'incomplete content')
  }
}

export const CONVERSATION_ERASED_LATER =
  'The conversation is deleted and no longer shown. Another process is reading the history, so the deleted bytes leave the file a little later: automatically while Driftline is open, else with "driftline gc".'

/** A sentence if not everything was searched, else "". */
export function searchLimitText(searched: SearchResult['searched']): string {
  if (!searched) return ''
  return `Searched the newest ${formatNumber(searched.changes)} of ${formatNumber(searched.of)} changes; the time limit was reached.`
}
