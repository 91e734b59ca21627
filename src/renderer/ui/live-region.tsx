/** What is said aloud without moving focus: one polite and one assertive region. */
import { useEffect, useState } from 'react'

type Tone = 'polite' | 'assertive'
const POLITE_GAP_MS = 5000
/** Said is said: nobody who reads the page later should come across it. */
const CLEAR_AFTER_MS = 1000
const listeners = new Set<(text: string, tone: Tone) => void>()

/** Says a sentence. Polite ones come at most every 5 s; of several that wait, only the newest is said. */
export function announce(text: string, tone: Tone = 'polite'): void {
  for (const listener of listeners) listener(text, tone)
}

/** Mount once, outside anything that becomes inert. */
export function LiveRegions() {
  const [polite, setPolite] = useState('')
  const [assertive, setAssertive] = useState('')
  useEffect(() => {
    let last = 0
    let timer = 0
    const clears = new Map<Tone, number>()
    const clearSoon = (tone: Tone, set: (text: string) => void) => {
      clearTimeout(clears.get(tone))
      clears.set(
        tone,
        window.setTimeout(() => set(''), CLEAR_AFTER_MS)
      )
    }
    const say = (text: string) => {
      last = Date.now()
      setPolite(text)
      clearSoon('polite', setPolite)
    }
    const listener = (text: string, tone: Tone) => {
      if (tone === 'assertive') {
        setAssertive(text)
        return clearSoon('assertive', setAssertive)
      }
      clearTimeout(timer)
      const wait = last + POLITE_GAP_MS - Date.now()
      if (wait <= 0) say(text)
      else timer = window.setTimeout(() => say(text), wait)
    }
    listeners.add(listener)
    return () => {
      clearTimeout(timer)
      for (const clear of clears.values()) clearTimeout(clear)
      listeners.delete(listener)
    }
  }, [])
  return (
    <>
      <div className="sr" role="status" aria-live="polite">
        {polite}
      </div>
      <div className="sr" role="alert" aria-live="assertive">
        {assertive}
      </div>
    </>
  )
}
