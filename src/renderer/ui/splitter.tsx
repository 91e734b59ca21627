/**
 * Draggable border between two panes. Arrows move it by 16 px, Home and End to its limits, a double click resets it.
 */
import { useRef } from 'react'

interface SplitterProps {
  readonly label: string
  /** Width of the pane on its left, px. */
  readonly value: number
  readonly min: number
  readonly max: number
  readonly initial: number
  /** Id of the pane it sizes. */
  readonly controls?: string
  readonly onChange: (value: number) => void
}

const STEP = 16

export function Splitter({ label, value, min, max, initial, controls, onChange }: SplitterProps) {
  const drag = useRef<{ readonly x: number; readonly value: number } | null>(null)
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))))
  const key = (event: React.KeyboardEvent) => {
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: value - STEP,
      ArrowRight: value + STEP,
      Home: min,
      End: max
    }
    const next = to[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    set(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is the pattern for a splitter, hr is not one.
    <div
      className="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={key}
      onDoubleClick={() => set(initial)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, value }
      }}
      onPointerMove={(event) => {
        if (drag.current) set(drag.current.value + event.clientX - drag.current.x)
      }}
      onPointerUp={() => {
        drag.current = null
      }}
      onLostPointerCapture={() => {
        drag.current = null
      }}
    />
  )
}
