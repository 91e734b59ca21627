/** Keyboard shortcuts of the diff pane, from the command table. */
import { type PaneAction, paneAction } from '../../commands/pane-keys.ts'
import { COMMANDS } from '../../commands/table.ts'
import { type KeyPress, matchesKeys } from '../../ui/keys.ts'

const REVIEW = ['keep-change', 'undo-change', 'keep-file', 'undo-file', 'versions'] as const
export type DiffCommand = PaneAction<'diff'> | (typeof REVIEW)[number]

/** The command of a key, null if there is none. Brackets typed into a field stay text. */
export function diffKey(event: KeyPress, target: EventTarget | null): DiffCommand | null {
  const action = paneAction('diff', event, true)
  if (action) return (action === 'next-file' || action === 'previous-file') && isField(target) ? null : action
  const command = COMMANDS.find(({ when, keys }) => when === 'diff' && keys.some((key) => matchesKeys(key, event)))
  return REVIEW.find((id) => id === command?.id) ?? null
}

/** A text field such as the find box. The text area of the read-only editor is none. */
function isField(target: EventTarget | null): boolean {
  if (typeof HTMLElement === 'undefined' || !(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return true
  return target instanceof HTMLTextAreaElement && target.closest('.find-widget') !== null
}
