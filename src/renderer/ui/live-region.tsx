/** Screen reader announcements: one polite and one assertive live region. */
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useOverlayParent } from './dialog.tsx'

type Tone = 'polite' | 'assertive'
const POLITE_GAP_MS = 5000
/** Announced text is cleared, so that a screen reader does not find it later in the page. */
const CLEAR_AFTER_MS = 1000
const listeners = new Set<(text: string, tone: Tone) => void>()

/** Announces a sentence. Polite ones come at most every 5 s; only the newest waiting one is announced. */
export function announce(text: string, tone: Tone = 'polite'): void {
  for (const listener of listeners) listener(text, tone)
}

/** A region that appears with its text is not announced, so the text follows after this time. */
const REGION_READY_MS = 100

/** Mount once. The regions move into the open dialog, because everything outside it is silent. */
export function LiveRegions() {
  const parent = useOverlayParent()
  const [readyIn, setReadyIn] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReadyIn(parent), REGION_READY_MS)
    return () => clearTimeout(timer)
  }, [parent])
  const [texts, setTexts] = useState<Readonly<Record<Tone, string>>>({ polite: '', assertive: '' })
  useEffect(() => {
    let last = 0
    let timer = 0
    const clears: Partial<Record<Tone, number>> = {}
    const say = (tone: Tone, text: string) => {
      setTexts((now) => ({ ...now, [tone]: text }))
      clearTimeout(clears[tone])
      if (text) clears[tone] = window.setTimeout(() => say(tone, ''), CLEAR_AFTER_MS)
    }
    const listener = (text: string, tone: Tone) => {
      if (tone === 'assertive') return say(tone, text)
      const sayNow = () => {
        last = Date.now()
        say(tone, text)
      }
      clearTimeout(timer)
      const wait = last + POLITE_GAP_MS - Date.now()
      if (wait <= 0) sayNow()
      else timer = window.setTimeout(sayNow, wait)
    }
    listeners.add(listener)
    return () => {
      for (const each of [timer, clears.polite, clears.assertive]) clearTimeout(each)
      listeners.delete(listener)
    }
  }, [])
  return createPortal(
    <>
      <div className="sr" role="status" aria-live="polite">
        {readyIn === parent ? texts.polite : ''}
      </div>
      <div className="sr" role="alert" aria-live="assertive">
        {readyIn === parent ? texts.assertive : ''}
      </div>
    </>,
    parent
  )
}
