/** A field that finds text: Enter and Shift+Enter step through the matches. */
import type { Ref } from 'react'
import { formatNumber, plural } from '../../contract/words/numbers.ts'
import { Icon } from './icon.tsx'

export interface FindState {
  readonly text: string
  /** Number of matches. */
  readonly matches: number
  /** Index of the current match, null without one. */
  readonly matchIndex: number | null
  readonly setText: (text: string) => void
  readonly step: (by: 1 | -1) => void
}

interface FindFieldProps {
  readonly find: FindState
  /** Such as "Find in this file". */
  readonly label: string
  /** What one match is, such as "line". */
  readonly unit: string
  /** Called for Escape in an empty field. */
  readonly onClose?: () => void
  readonly ref?: Ref<HTMLInputElement>
}

export function FindField({ find, label, unit, onClose, ref }: FindFieldProps) {
  const { text, matches, matchIndex, setText, step } = find
  return (
    <span className="field find-field">
      <Icon name="search" size="s" />
      <input
        ref={ref}
        placeholder={label}
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape' && text !== '') setText('')
          else if (event.key === 'Escape' && onClose) onClose()
          else return
          event.preventDefault()
        }}
      />
      {text === '' ? null : (
        <span
          className="small num"
          role="status"
          aria-label={matches === 0 ? 'No matches' : `${plural(matches, unit)} found`}
        >
          {matches === 0 ? 'none' : `${(matchIndex ?? 0) + 1}/${formatNumber(matches)}`}
        </span>
      )}
    </span>
  )
}
