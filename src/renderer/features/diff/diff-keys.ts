/** Keyboard shortcuts of the diff pane, from the command table. */
import type { KeyboardEvent } from 'react'
import { type PaneAction, paneAction } from '../../commands/pane-keys.ts'
import { COMMANDS } from '../../commands/table.ts'
import { matchesKeys } from '../../ui/keys.ts'

const REVIEW = ['keep-change', 'undo-change', 'keep-file', 'undo-file'] as const
/** The key of `versions` works in every pane. */
export type DiffCommand = PaneAction<'diff'> | (typeof REVIEW)[number] | 'versions'
export type DiffCommands = Readonly<Record<DiffCommand, () => void>>

/** Runs the command of a key if `commands` has it. Brackets typed into a field stay text. */
export function runDiffKey(event: KeyboardEvent<HTMLElement>, commands: Partial<DiffCommands>): void {
  const { nativeEvent, target } = event
  const command = commandOf(nativeEvent, target)
  const run = command && commands[command]
  if (!run) return
  event.preventDefault()
  event.stopPropagation()
  run()
}

function commandOf(event: globalThis.KeyboardEvent, target: EventTarget): DiffCommand | null {
  const action = paneAction('diff', event, true)
  if (action) return (action === 'next-file' || action === 'previous-file') && isField(target) ? null : action
  const command = COMMANDS.find(({ when, keys }) => when === 'diff' && keys.some((key) => matchesKeys(key, event)))
  return REVIEW.find((id) => id === command?.id) ?? null
}

/** A text field such as the find box. The text area of the read-only editor is none. */
function isField(target: EventTarget): boolean {
  if (target instanceof HTMLInputElement) return true
  return target instanceof HTMLTextAreaElement && target.closest('.find-widget') !== null
}
