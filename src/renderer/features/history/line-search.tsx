/** Finds text in the lines of a file. */
import { useState } from 'react'

export type LineSearch = ReturnType<typeof useLineSearch>

export function useLineSearch() {
  const [text, setText] = useState('')
  /** Index of the current match, null without one. */
  const [matchIndex, setMatchIndex] = useState<number | null>(null)
  /** Number of matching lines. */
  const [matches, setMatches] = useState(0)
  return {
    text,
    matches,
    matchIndex,
    setMatches,
    setText: (next: string) => {
      setText(next)
      setMatchIndex(next === '' ? null : 0)
    },
    step: (by: 1 | -1) => setMatchIndex((index) => (matches === 0 ? null : ((index ?? -by) + by + matches) % matches))
  }
}
