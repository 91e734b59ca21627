/** Finds text in the lines of a file; Enter and Shift+Enter step through the matches. */
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { Icon } from '../../ui/icon.tsx'

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
