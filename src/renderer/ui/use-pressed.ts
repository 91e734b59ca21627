/**
 * Tells a component that the pointer is pressed, so that it keeps what is pressed in its place until after the click.
 * Lists and banners change by themselves; without it a press would hit what moved under the pointer.
 */
import { useEffect, useState } from 'react'

interface Pressed {
  /** From `press()` until after the click that follows the release. */
  readonly pressed: boolean
  press(): void
}

export function usePressed(): Pressed {
  const [pressed, setPressed] = useState(false)
  useEffect(() => {
    if (!pressed) return
    const clicked = () => setPressed(false)
    // A release elsewhere is followed by no click; otherwise the click comes first.
    const released = () => setTimeout(clicked)
    window.addEventListener('click', clicked)
    window.addEventListener('pointerup', released)
    window.addEventListener('pointercancel', released)
    window.addEventListener('blur', released)
    return () => {
      window.removeEventListener('click', clicked)
      window.removeEventListener('pointerup', released)
      window.removeEventListener('pointercancel', released)
      window.removeEventListener('blur', released)
    }
  }, [pressed])
  return { pressed, press: () => setPressed(true) }
}
