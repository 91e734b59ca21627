/** Titles of where keys work, in display order. */
import type { When } from './table.ts'

export const AREAS: readonly { readonly when: When; readonly title: string }[] = [
  { when: 'anywhere', title: 'Anywhere' },
  { when: 'outside text', title: 'Outside text fields' },
  { when: 'timeline', title: 'Timeline' },
  { when: 'files', title: 'Changed files' },
  { when: 'conversation', title: 'Conversation' },
  { when: 'diff', title: 'Diff' },
  { when: 'dialogs', title: 'Dialogs' }
]
