/**
 * A text of a replay as plain HTML: it is drawn in a fraction of the time that the editor takes to load one, which shows it
 * once the replay rests. Only the rows in view are drawn.
 */
import { type RefObject, useLayoutEffect, useMemo } from 'react'
import { drawnRows, firstRows } from './first-rows.ts'
import { momentView } from './moment-rows.ts'
import { isSplit, PlainRows } from './plain-rows.tsx'
import type { TextDoc, TextOptions } from './text-doc.ts'

/** How far a file is scrolled, px: from one of its moments to the next, and from this text to the editor. */
export interface ScrollPlace {
  readonly path: string
  readonly top: number
}

interface MomentTextProps {
  readonly doc: TextDoc
  readonly options: TextOptions
  /** Of the pane, px. */
  readonly height: number
  /** Lines of the later text to show and light. */
  readonly lit: readonly number[]
  readonly place: RefObject<ScrollPlace>
}

export function MomentText({ doc, options, height, lit, place }: MomentTextProps) {
  const rows = useMemo(
    () => drawnRows(firstRows(doc, options, Number.POSITIVE_INFINITY) ?? [], isSplit(doc, options)),
    [doc, options]
  )
  const lines = useMemo(() => new Set(lit), [lit])
  const scrollTop = place.current.path === doc.path ? place.current.top : 0
  const view = momentView(rows, { line: lit[0] ?? null, height, scrollTop })
  useLayoutEffect(() => {
    place.current = { path: doc.path, top: view.scrollTop }
  }, [place, doc.path, view.scrollTop])
  return <PlainRows doc={doc} options={options} rows={view.rows} top={view.top} lit={lines} />
}
