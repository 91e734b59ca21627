/** Looks for words in the lines of a file; Enter goes from one to the next. */
import { count, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'

interface FindFieldProps {
  readonly value: string
  /** Lines that hold the words. */
  readonly lines: number
  /** Which of them is shown, from 0. */
  readonly at: number | null
  readonly onChange: (words: string) => void
  readonly onStep: (by: 1 | -1) => void
}

export function FindField({ value, lines, at, onChange, onStep }: FindFieldProps) {
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
          aria-label={lines === 0 ? 'Nothing found' : `${plural(lines, 'line')} found`}
        >
          {lines === 0 ? 'none' : `${(at ?? 0) + 1}/${count(lines)}`}
        </span>
      )}
    </span>
  )
}
