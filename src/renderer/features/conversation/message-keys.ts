/** Keyboard navigation of a conversation. Pure. */
import type { KeyPress } from '../../ui/keys.ts'

export type MessageMove =
  | { readonly to: number }
  | { readonly do: 'open-turn' | 'restore' | 'menu' | 'copy' }
  /** Shows or hides the details of a tool call; null toggles them. */
  | { readonly details: boolean | null }

const PAGE_ROWS = 8

/** The move for a key on the row at `at`; null if the list does not use the key. `rows`: number of rows; `prompts`: indexes of prompts. */
export function messageMove(
  at: number,
  rows: number,
  prompts: readonly number[],
  press: KeyPress,
  letterKeys: boolean
): MessageMove | null {
  const mod = press.metaKey || press.ctrlKey
  if (mod && !press.altKey && press.key.toLowerCase() === 'c') return { do: 'copy' }
  if (mod || press.altKey) return null
  const to = (index: number): MessageMove => ({ to: Math.max(0, Math.min(rows - 1, index)) })
  const letter = letterKeys ? press.key.toLowerCase() : ''
  if (press.key === 'ArrowDown' || letter === 'j') return to(at + 1)
  if (press.key === 'ArrowUp' || letter === 'k') return to(at - 1)
  if (letter === 'r') return { do: 'restore' }
  switch (press.key) {
    case 'PageDown':
      return to(at + PAGE_ROWS)
    case 'PageUp':
      return to(at - PAGE_ROWS)
    case 'Home':
      return to(0)
    case 'End':
      return to(rows - 1)
    case ']':
      return to(prompts.find((index) => index > at) ?? at)
    case '[':
      return to(prompts.findLast((index) => index < at) ?? at)
    case 'ArrowRight':
      return { details: true }
    case 'ArrowLeft':
      return { details: false }
    case ' ':
      return { details: null }
    case 'Enter':
      return { do: 'open-turn' }
    case 'ContextMenu':
      return { do: 'menu' }
    case 'F10':
      return press.shiftKey ? { do: 'menu' } : null
  }
  return null
}
