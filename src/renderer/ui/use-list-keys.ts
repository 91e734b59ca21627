/** The key handler of a list, a tree or a menu: arrows, paging, Home and End, expanding, and type-ahead. */
import { type KeyboardEvent, useRef } from 'react'
import { isTextField, type KeyPress } from './keys.ts'
import { isTypedText, type ListShape, listMove, typeAhead } from './list-keys.ts'

/** A longer pause starts a new prefix, ms. */
const MAX_PAUSE_MS = 700

interface ListKeysOptions {
  readonly list: ListShape
  /** Index of the focused row. */
  readonly at: number
  /** Whether J and K move. */
  readonly letters: boolean
  readonly onMove: (to: number, extend: boolean) => void
  readonly onExpand?: (expand: boolean) => void
  /** Whether a key belongs to a command that runs elsewhere; such letters start no type-ahead. */
  readonly isReserved?: (event: KeyPress) => boolean
  /** Runs the list's own keys first; returns whether it used the key. Not called while letters continue a prefix. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>) => boolean
}

/** Returns the handler for `onKeyDown`. Text fields and the keys that press a button inside a row are left alone. */
export function useListKeys(options: ListKeysOptions): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ prefix: '', at: 0 })
  const { list, at, letters, onMove, onExpand, onKey, isReserved } = options
  return (event) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return
    const isText = list.textOf !== undefined && isTypedText(event)
    const pending = Date.now() - typed.current.at < MAX_PAUSE_MS ? typed.current.prefix : ''
    if (!(isText && pending)) {
      if (onKey?.(event)) return event.preventDefault()
      const move = listMove(list, at, event, letters)
      if (move && 'to' in move) onMove(move.to, move.extend)
      else if (move && onExpand) onExpand(move.expand)
      if (move) return event.preventDefault()
    }
    if (!isText || (!pending && isReserved?.(event))) return
    typed.current = { prefix: pending + event.key, at: Date.now() }
    // One letter moves on; a longer prefix may still match the focused row.
    const found = typeAhead(list, pending ? at : at + 1, typed.current.prefix)
    event.preventDefault()
    if (found !== null) onMove(found, false)
  }
}
