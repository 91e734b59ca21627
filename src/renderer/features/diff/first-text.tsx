/**
 * The text of the first diff as plain HTML: it is there as soon as it is known, while Monaco is still loading, and the
 * editor takes its place without moving a line. It has no controls, because none would work yet.
 */
import { plural } from '../../../contract/words/numbers.ts'
import { type FirstLine, type FirstRow, firstRows, sideBySide } from './first-rows.ts'
import { type TextDoc, type TextOptions, wrapsLines } from './text-doc.ts'

/** Lines of a very high window. */
const MOST_LINES = 150

interface FirstTextProps {
  readonly doc: TextDoc
  readonly options: TextOptions
}

/** Draws nothing where only the editor knows what changed. */
export function FirstText({ doc, options }: FirstTextProps) {
  const rows = firstRows(doc, options, MOST_LINES)
  if (!rows) return null
  const split = options.split && doc.shape === 'changed'
  return (
    <section
      className="first-text"
      aria-label={doc.afterLabel}
      data-shape={doc.shape}
      data-layout={split ? 'split' : 'inline'}
      data-wrap={wrapsLines(options, doc.path)}
    >
      {rows.map((row) => (
        <Row key={keyOf(row)} row={row} split={split} />
      ))}
    </section>
  )
}

function keyOf(row: FirstRow): string {
  if (row.kind === 'bar') return `bar ${row.n}`
  if (row.kind === 'fold') return `fold ${row.count}`
  return `${row.lines[0]?.before} ${row.lines[0]?.after}`
}

function Row({ row, split }: { readonly row: FirstRow; readonly split: boolean }) {
  if (row.kind === 'bar') return <div className="first-bar" />
  if (row.kind === 'fold')
    return (
      <div className="first-fold">
        {(split ? ['before', 'after'] : ['after']).map((side) => (
          <span key={side}>{plural(row.count, 'hidden line')}</span>
        ))}
      </div>
    )
  if (!split)
    return row.lines.map((line) => (
      <div key={`${line.before} ${line.after}`} className="first-line" data-kind={line.kind}>
        <Numbers of={[line.before, line.after]} />
        <Code line={line} />
      </div>
    ))
  return sideBySide(row.lines).map(([before, after]) => (
    <div key={`${before?.before} ${after?.after}`} className="first-pair">
      <Side line={before} number={before?.before ?? null} />
      <Side line={after} number={after?.after ?? null} />
    </div>
  ))
}

function Side({ line, number }: { readonly line: FirstLine | null; readonly number: number | null }) {
  if (!line) return <div className="first-line" data-kind="none" />
  return (
    <div className="first-line" data-kind={line.kind}>
      <Numbers of={[number]} />
      <Code line={line} />
    </div>
  )
}

function Numbers({ of }: { readonly of: readonly (number | null)[] }) {
  return of.map((number, column) => (
    <span key={column === 0 ? 'before' : 'after'} className="first-number" aria-hidden>
      {number}
    </span>
  ))
}

const SIGNS = { added: '+', deleted: '\u2212', same: '' } as const

function Code({ line: { kind, text } }: { readonly line: FirstLine }) {
  return (
    <>
      <span className="first-sign">{SIGNS[kind]}</span>
      <span className="first-code">{text}</span>
    </>
  )
}
