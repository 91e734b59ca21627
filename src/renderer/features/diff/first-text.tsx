/**
 * A text as plain HTML until the editor has it: it is there as soon as it is known, and the editor takes its place without
 * moving a line. It has no controls, because none would work yet.
 */
import { useMemo } from 'react'
import { drawnRows, firstRows, rowsAbove } from './first-rows.ts'
import { isSplit, PlainRows } from './plain-rows.tsx'
import type { TextDoc, TextOptions } from './text-doc.ts'
import type { LineZone } from './text-view.tsx'

/** Lines of a very high window. */
const MOST_LINES = 150

interface FirstTextProps {
  readonly doc: TextDoc
  readonly options: TextOptions
  /** What will be below lines: the rows after the first of them are left to the editor, which makes room for it. */
  readonly zones: readonly Pick<LineZone, 'side' | 'line'>[] | undefined
}

/** Draws nothing where only the editor knows what changed. */
export function FirstText({ doc, options, zones = [] }: FirstTextProps) {
  const rows = useMemo(() => {
    const first = firstRows(doc, options, MOST_LINES)
    return first && drawnRows(first, isSplit(doc, options))
  }, [doc, options])
  return rows && <PlainRows doc={doc} options={options} rows={rowsAbove(rows, zones)} />
}
