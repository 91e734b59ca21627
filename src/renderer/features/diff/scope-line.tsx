/**
 * [UI-49] The definitions around the first visible line, over the top edge of the text. Monaco has such lines of its
 * own, but leaves them out where unchanged lines are folded, which is what a diff is.
 */
import { type RefObject, useEffect, useState } from 'react'
import { HEADER_PX } from './content-fit.ts'
import type { DiffEditor } from './diff-editor.ts'
import { scopeOf, type TextSymbol } from './outline.ts'
import { firstLineBelow } from './top-line.ts'
import './scope-line.css'

const NONE: readonly TextSymbol[] = []

interface ScopeLineProps {
  /** null while its text is not on screen. */
  readonly editor: DiffEditor | null
  /** Of the text. */
  readonly textKey: string
  /** Of the text, made when it is first scrolled: most texts never are. */
  readonly symbols: () => readonly TextSymbol[]
  /** The element that the text fills, and the one that scrolls instead of the editor. */
  readonly place: RefObject<HTMLElement | null>
  readonly scroller: RefObject<HTMLElement | null> | undefined
  readonly onGoTo: (line: number) => void
}

export function ScopeLine(props: ScopeLineProps) {
  const scope = useScope(props)
  if (scope.length === 0) return null
  return (
    // The names are those of the lines above; Alt+O leads to them by keyboard.
    <div className="scope-line" aria-hidden="true">
      <div>
        {scope.map(({ name, line }) => (
          <button key={line} type="button" tabIndex={-1} onClick={() => props.onGoTo(line)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}

function useScope({ editor, textKey, symbols, place, scroller }: ScopeLineProps): readonly TextSymbol[] {
  const [scope, setScope] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `symbols` belong to the text.
  useEffect(() => {
    setScope(NONE)
    if (!editor) return
    const { later } = editor
    let known: readonly TextSymbol[] | null = null
    let waiting = 0
    const update = () => {
      waiting = 0
      const top = hiddenAbove(later, place.current, scroller?.current ?? null)
      if (top <= 0) return setScope(NONE)
      known ??= symbols()
      const first = firstLineBelow(later, top)
      const around = scopeOf(known, first).filter(({ endLine }) => endLine > first)
      setScope((before) => (isSame(before, around) ? before : around))
    }
    // After the frame, when the page is laid out: before, reading a place would lay it out once more.
    const schedule = () => {
      waiting ||= requestIdleCallback(update, { timeout: 50 })
    }
    const listening = new AbortController()
    const { signal } = listening
    scroller?.current?.addEventListener('scroll', schedule, { passive: true, signal })
    const subscriptions = [later.onDidScrollChange(schedule), later.onDidContentSizeChange(schedule)]
    return () => {
      listening.abort()
      cancelIdleCallback(waiting)
      for (const subscription of subscriptions) subscription.dispose()
    }
  }, [editor, textKey, place, scroller])
  return scope
}

/** How much of the text is above what is visible of it, px. */
function hiddenAbove(later: DiffEditor['later'], place: HTMLElement | null, scroller: HTMLElement | null): number {
  if (!scroller || !place) return later.getScrollTop()
  const above = scroller.getBoundingClientRect().top - place.getBoundingClientRect().top
  // Until its header sticks, the whole text is below it.
  return above <= 0 ? 0 : above + HEADER_PX
}

function isSame(a: readonly TextSymbol[], b: readonly TextSymbol[]): boolean {
  return a.length === b.length && a.every(({ line }, i) => line === b[i]?.line)
}
