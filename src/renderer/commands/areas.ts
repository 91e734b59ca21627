/** Titles of the key areas, in display order. */
import type { Area } from './table.ts'

export const AREAS: readonly { readonly area: Area; readonly title: string }[] = [
  { area: 'anywhere', title: 'Anywhere' },
  { area: 'outside text', title: 'Outside text fields' },
  { area: 'timeline', title: 'Timeline' },
  { area: 'files', title: 'Changed files' },
  { area: 'conversation', title: 'Conversation' },
  { area: 'diff', title: 'Diff' },
  { area: 'dialogs', title: 'Dialogs' }
]
