/** Commands for the current change or file of the diff, which handles these keys itself, before its editor does. */
import type { IconName } from '../ui/icon.tsx'
import { type Check, type CommandRow, connected, inWorkspace, openReview } from './command.ts'
import type { CommandState, ReviewCommands } from './state.ts'

const canKeep: Check = (s) => s.workspace?.review()?.keepUnavailable ?? null

export function reviewRows(): CommandRow[] {
  const row = (id: string, title: string, icon: IconName, keys: string, run: (review: ReviewCommands) => void) => ({
    id,
    title,
    icon,
    keys,
    when: 'diff' as const,
    needs: [inWorkspace, connected, openReview],
    run: (s: CommandState) => {
      const review = s.workspace?.review()
      if (review) run(review)
    }
  })
  return [
    {
      ...row('keep-change', 'Keep change and go to next', 'check', 'Alt+Y', (review) => review.keepChange()),
      needs: [inWorkspace, openReview, canKeep]
    },
    row('undo-change', 'Undo this change…', 'undo', 'Alt+Z', (review) => review.undoChange()),
    {
      ...row('keep-file', 'Keep file and go to next', 'check', 'Shift+Alt+Y', (review) => review.keepFile()),
      needs: [inWorkspace, openReview, canKeep]
    },
    row('undo-file', 'Undo this file…', 'undo', 'Shift+Alt+Z', (review) => review.undoFile()),
    row('comment', 'Comment on the selected lines', 'chat', 'C', (review) => review.comment()),
    {
      ...row('symbols', 'Go to a definition in this file…', 'search', 'Alt+O', () => {}),
      when: 'outside text',
      needs: [inWorkspace, openReview],
      run: (s) => s.openPalette('@')
    },
    {
      ...row('versions', 'History of this file', 'history', 'Alt+H', (review) => review.versions()),
      when: 'outside text'
    },
    {
      id: 'authors',
      title: 'Who wrote each line',
      icon: 'person',
      needs: [inWorkspace, openReview],
      run: (s) => s.workspace?.review()?.authors()
    }
  ]
}
