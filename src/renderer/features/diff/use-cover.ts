/**
 * A text is drawn over the editor as soon as it is known, because loading one into the editor takes several times as long.
 * The editor gets it when the page is idle, or the text rests, and is uncovered when it shows the same at the same place.
 */
import { useEffect, useRef, useState } from 'react'
import { whenIdle } from '../../ui/free-time.ts'

interface Cover {
  /** The drawn text lies over the editor. */
  readonly isOver: boolean
  /** The editor must not load the text yet. */
  readonly isHeld: boolean
}

/**
 * `key`: of the text; "" for none. `shownKey`: of what the editor has. `canDraw` is called once for each text.
 * `isResting`: the text stays; undefined: it is expected to.
 */
export function useCover(
  key: string,
  shownKey: string,
  { canDraw, isResting }: { readonly canDraw: () => boolean; readonly isResting: boolean | undefined }
): Cover {
  const drawn = useRef({ key: '', is: false })
  if (drawn.current.key !== key) drawn.current = { key, is: canDraw() }
  const isInEditor = key === shownKey
  const isUncovered = useUncovered(key, isInEditor)
  const isOver = drawn.current.is && !isUncovered
  const isIdle = useIdle(isOver && !isInEditor && isResting === undefined ? key : null)
  return { isOver, isHeld: isOver && !isInEditor && !(isResting ?? isIdle) }
}

/** Two frames after the editor got the text: it draws it in the first. */
function useUncovered(key: string, isInEditor: boolean): boolean {
  const [uncovered, setUncovered] = useState('')
  useEffect(() => {
    if (!isInEditor) return
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setUncovered(key))
    })
    return () => cancelAnimationFrame(frame)
  }, [key, isInEditor])
  return key === uncovered
}

/** Whether a text has been painted, and the page had nothing else to do after that. `key`: of the text; null for none. */
function useIdle(key: string | null): boolean {
  const [idle, setIdle] = useState<string | null>(null)
  useEffect(() => (key === null ? undefined : whenIdle(() => setIdle(key))), [key])
  return key !== null && key === idle
}
