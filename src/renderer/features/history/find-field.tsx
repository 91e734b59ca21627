/** Finds text in the lines of a file; Enter and Shift+Enter step through the matches. */

import { useState } from 'react'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { Icon } from '../../ui/icon.tsx'

/** The find field of the blame view: its text and the current match. */
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

interface FindFieldProps {
  readonly value: string
  /** Number of matching lines. */
  readonly matches: number
  /** Index of the current match. */
  readonly matchIndex: number | null
  readonly onChange: (text: string) => void
  readonly onStep: (by: 1 | -1) => void
}

export function FindField({ value, matches, matchIndex, onChange, onStep }: FindFieldProps) {
  return (
    <span className="field find">
      <Icon name="search" size="s" />
      <input
        placeholder="Find in this file"
        aria-label="Find in this file"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape' && value !== '') onChange('')
          else return
          event.preventDefault()
        }}
      />
      {value === '' ? null : (
        <span
          className="small num"
          role="status"
          aria-label={matches === 0 ? 'No matches' : `${plural(matches, 'line')} found`}
        >
          {matches === 0 ? 'none' : `${(matchIndex ?? 0) + 1}/${formatNumber(matches)}`}
        </span>
      )}
    </span>
  )
}
