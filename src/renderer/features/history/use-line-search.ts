/** The find field of the blame view: its text and the current match. */
import { useState } from 'react'

export interface LineSearch {
  readonly text: string
  /** Number of matching lines. */
  readonly matches: number
  /** Index of the current match, null without one. */
  readonly matchIndex: number | null
  setText(text: string): void
  setMatches(matches: number): void
  step(by: 1 | -1): void
}

export function useLineSearch(): LineSearch {
  const [text, setText] = useState('')
  const [matchIndex, setMatchIndex] = useState<number | null>(null)
  const [matches, setMatches] = useState(0)
  return {
    text,
    matches,
    matchIndex,
    setText: (next) => {
      setText(next)
      setMatchIndex(next === '' ? null : 0)
    },
    setMatches,
    step: (by) => setMatchIndex((index) => (matches === 0 ? null : ((index ?? -by) + by + matches) % matches))
  }
}
