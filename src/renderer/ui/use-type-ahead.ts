/** Type-ahead in lists: letters typed in quick succession form one prefix to jump to. */
import { useRef } from 'react'

/** A longer pause starts a new prefix, ms. */
const MAX_PAUSE_MS = 700

export interface TypeAhead {
  /** The prefix so far, "" after a pause. */
  pending(): string
  /** Adds a letter and returns the new prefix. */
  append(letter: string): string
}

export function useTypeAhead(): TypeAhead {
  const last = useRef({ prefix: '', at: 0 })
  const pending = () => (Date.now() - last.current.at < MAX_PAUSE_MS ? last.current.prefix : '')
  return {
    pending,
    append: (letter) => {
      last.current = { prefix: pending() + letter, at: Date.now() }
      return last.current.prefix
    }
  }
}
