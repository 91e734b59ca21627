/** The choice for one file that somebody else changed: keep mine, merge, or replace; as radio buttons. */
import { type KeyboardEvent, useRef } from 'react'
import type { Choice, Conflict } from '../../../contract/restore.ts'
import { Icon } from '../../ui/icon.tsx'
import type { OwnLines } from '../diff/own-lines.ts'
import { ofOthers } from './consequence-words.ts'
import { CHOICE_WORDS, offeredChoices } from './plan-rows.ts'

interface ChoiceCardsProps {
  readonly conflict: Conflict
  readonly choice: Choice
  /** "at 14:02", "before 14:02", or "" when the target has no time. */
  readonly when: string
  /** What others wrote in it since; null when that is not known. */
  readonly own: OwnLines | null
  readonly onChoose: (choice: Choice) => void
}

export function ChoiceCards({ conflict, choice, when, own, onChoose }: ChoiceCardsProps) {
  const group = useRef<HTMLDivElement>(null)
  const offered = offeredChoices(conflict)
  const lines = own?.lines ?? []
  const yours = lines.length > 0 ? ofOthers(lines) : 'what others wrote'
  const words: Readonly<Record<Choice, string>> = {
    keep: 'Leave the file exactly as it is on disk now',
    merge: `${conflict.choices.includes('replace') ? 'Take back only these changes' : 'Take this change out'} and keep ${yours}. No overlap found`,
    replace: `Exactly as it was ${when || 'then'}. What is there now is kept first`
  }
  const key = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    const at = (offered.indexOf(choice) + step + offered.length) % offered.length
    const next = offered[at]
    if (!next) return
    onChoose(next)
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[at]?.focus()
  }
  return (
    <div
      className="tri"
      role="radiogroup"
      aria-label={`What to do with ${conflict.path}`}
      ref={group}
      onKeyDown={key}
      style={{ '--cards': offered.length } as React.CSSProperties}
    >
      {offered.map((one) => (
        // biome-ignore lint/a11y/useSemanticElements: the whole card is the radio button.
        <button
          type="button"
          role="radio"
          key={one}
          aria-checked={one === choice}
          tabIndex={one === choice ? 0 : -1}
          onClick={() => onChoose(one)}
        >
          <b>
            {CHOICE_WORDS[one]} {one === 'merge' ? <Icon name="okc" size="s" /> : null}
          </b>
          <span>{words[one]}</span>
        </button>
      ))}
    </div>
  )
}
