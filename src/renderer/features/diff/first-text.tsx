/**
 * The text of the first diff as plain HTML: it is there as soon as it is known, while Monaco is still loading, and the
 * editor takes its place without moving a line. It has no controls, because none would work yet.
 */
import { drawnRows, firstRows } from './first-rows.ts'
import { isSplit, PlainRows } from './plain-rows.tsx'
import type { TextDoc, TextOptions } from './text-doc.ts'

/** Lines of a very high window. */
const MOST_LINES = 150

interface FirstTextProps {
  readonly doc: TextDoc
  readonly options: TextOptions
}

/** Draws nothing where only the editor knows what changed. */
export function FirstText({ doc, options }: FirstTextProps) {
  const rows = firstRows(doc, options, MOST_LINES)
  return rows && <PlainRows doc={doc} options={options} rows={drawnRows(rows, isSplit(doc, options))} />
}
