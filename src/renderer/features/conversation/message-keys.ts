/** What a key does in the list of a conversation's messages. Pure. */
import { paneAction } from '../../commands/pane-keys.ts'
import type { KeyPress } from '../../ui/keys.ts'
import { listMove } from '../../ui/list-keys.ts'

export type MessageCommand = 'open-turn' | 'restore' | 'comment' | 'menu' | 'copy' | 'find'

type MessageMove =
  | { readonly to: number }
  | { readonly do: MessageCommand }
  /** Shows or hides the details of a tool call; null toggles them. */
  | { readonly details: boolean | null }

const PAGE_ROWS = 8

/**
 * The move for a key on the row at `at`; null if the list does not use the key. `rows`: number of rows; `prompts`:
 * indexes of prompts.
 */
export function messageMove(
  at: number,
  rows: number,
  prompts: readonly number[],
  press: KeyPress,
  letterKeys: boolean
): MessageMove | null {
  const action = paneAction('conversation', press, letterKeys)
  switch (action) {
    case null: {
      const move = listMove({ length: rows, pageRows: PAGE_ROWS }, at, press, letterKeys)
      return move && 'to' in move ? { to: move.to } : null
    }
    case 'next-prompt':
      return { to: prompts.find((index) => index > at) ?? at }
    case 'previous-prompt':
      return { to: prompts.findLast((index) => index < at) ?? at }
    case 'toggle':
      return { details: null }
    case 'show':
    case 'hide':
      return { details: action === 'show' }
    default:
      return { do: action }
  }
}
