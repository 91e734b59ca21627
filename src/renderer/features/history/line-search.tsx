/** Finds text in the lines of a file; Enter and Shift+Enter step through the matches. */
import { useState } from 'react'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { Icon } from '../../ui/icon.tsx'

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

export function FindField({ search }: { readonly search: LineSearch }) {
  const { text, matches, matchIndex, setText, step } = search
  return (
    <span className="field history-find">
      <Icon name="search" size="s" />
      <input
        placeholder="Find in this file"
        aria-label="Find in this file"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape' && text !== '') setText('')
          else return
          event.preventDefault()
        }}
      />
      {text === '' ? null : (
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
