/** The words of a list of folders that was made again from the histories. Pure. */
import type { RebuiltList } from '../workspace.ts'
import { plural } from './numbers.ts'

/** What happened, and how many folders there are. */
export function rebuiltListText({ why, folders, removed }: RebuiltList): {
  readonly lead: string
  readonly rest: string
} {
  const listed = [
    ...(folders > 0 || removed === 0 ? [plural(folders, 'recorded folder')] : []),
    ...(removed > 0 ? [plural(removed, 'removed folder')] : [])
  ].join(' and ')
  return {
    lead: {
      lost: 'The list of folders was lost and made again:',
      older: 'The list of folders was replaced by an older copy and corrected:',
      found: 'The data folder had histories that were not listed:'
    }[why],
    rest: ` ${listed}${why === 'found' ? ', listed now' : ''}. No history is lost.`
  }
}

/** Which settings are no longer those of the person. */
export function rebuiltSettingsText({ why }: RebuiltList): string {
  const others = 'Appearance, desktop, idle time and log level are'
  const kept = 'What is recorded and how long it is kept are set as before.'
  switch (why) {
    case 'lost':
      return `${others} back to their defaults. ${kept}`
    case 'older':
      return `${others} those of the older copy. ${kept}`
    case 'found':
      return 'Settings of all folders are unchanged.'
  }
}

export const CONFIRM_LIST_TEXT =
  'Check them with `driftline folders` and `driftline settings`. `driftline folders --confirm` removes this notice.'
