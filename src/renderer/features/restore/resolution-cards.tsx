/** The resolution of one conflict as radio buttons: keep mine, merge or replace. */
import { type KeyboardEvent, useRef } from 'react'
import type { Conflict, Resolution, RestoreRequest } from '../../../contract/restore.ts'
import { resolutionLabel, resolutionText } from '../../../contract/words/resolutions.ts'
import { Icon } from '../../ui/icon.tsx'
import type { PreservedLines } from '../diff/preserved-lines.ts'
import { offeredResolutions } from './plan-rows.ts'
import './resolution-cards.css'

interface ResolutionCardsProps {
  readonly request: RestoreRequest
  readonly conflict: Conflict
  readonly resolution: Resolution
  /** "at 14:02", "before 14:02", or "" when the target has no time. */
  readonly when: string
  /** Later lines of others; null if unknown. */
  readonly own: PreservedLines | null
  readonly onResolve: (choice: Resolution) => void
}

export function ResolutionCards({ request, conflict, resolution, when, own, onResolve }: ResolutionCardsProps) {
  const group = useRef<HTMLDivElement>(null)
  const offered = offeredResolutions(conflict)
  const lines = own?.lines ?? []
  const key = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    const at = (offered.indexOf(resolution) + step + offered.length) % offered.length
    const next = offered[at]
    if (!next) return
    onResolve(next)
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[at]?.focus()
  }
  return (
    <div
      className="resolution-cards"
      role="radiogroup"
      aria-label={`Resolution for ${conflict.path}`}
      ref={group}
      onKeyDown={key}
      style={{ '--cards': offered.length } as React.CSSProperties}
    >
      {offered.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: the whole card is the radio button.
        <button
          type="button"
          role="radio"
          key={option}
          aria-checked={option === resolution}
          tabIndex={option === resolution ? 0 : -1}
          onClick={() => onResolve(option)}
        >
          <b>
            {resolutionLabel(option, conflict)} {option === 'merge' ? <Icon name="okc" size="s" /> : null}
          </b>
          <span>{resolutionText(option, request, conflict, when, lines)}</span>
        </button>
      ))}
    </div>
  )
}
