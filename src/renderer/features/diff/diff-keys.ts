/** Keyboard shortcuts of the diff pane, from the command table. */
import type { KeyboardEvent } from 'react'
import { type PaneAction, paneAction } from '../../commands/pane-keys.ts'
import { COMMANDS } from '../../commands/table.ts'
import { isTextField, matchesKeys } from '../../ui/keys.ts'

const REVIEW = ['keep-change', 'undo-change', 'keep-file', 'undo-file'] as const
/** The keys of `versions` and `comment` are those of the command table. */
export type DiffCommand = PaneAction<'diff'> | (typeof REVIEW)[number] | 'versions' | 'comment' | 'comment-file'
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
  if (action) return (action === 'next-file' || action === 'previous-file') && isTextField(target) ? null : action
  const command = COMMANDS.find(({ when, keys }) => when === 'diff' && keys.some((key) => matchesKeys(key, event)))
  return REVIEW.find((id) => id === command?.id) ?? null
}
