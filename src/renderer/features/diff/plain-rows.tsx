/** Rows of a diff as plain HTML, at the places that the editor gives them. */
import { memo } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { MAX_DELETED_LINES_INLINE } from './editor-options.ts'
import type { DrawnRow, FirstLine } from './first-rows.ts'
import { type TextDoc, type TextOptions, wrapsLines } from './text-doc.ts'
import './first-text.css'

interface PlainRowsProps {
  readonly doc: TextDoc
  readonly options: TextOptions
  readonly rows: readonly DrawnRow[]
  /** Where the first row is, px from the top. */
  readonly top?: number
  /** Lines of the later text that are lit. */
  readonly lit?: ReadonlySet<number> | undefined
}

/** Whether the editor shows two columns. */
export function isSplit(doc: TextDoc, { split }: Pick<TextOptions, 'split'>): boolean {
  return doc.shape === 'changed' && (split || deletedLines(doc) > MAX_DELETED_LINES_INLINE)
}

function deletedLines({ hunks, blocks }: TextDoc): number {
  const all = hunks.length > 0 ? hunks.flatMap((hunk) => hunk.blocks) : (blocks ?? [])
  return all.reduce((sum, { oldFrom, oldTo }) => sum + oldTo - oldFrom, 0)
}

/** An element is used again for the row that takes its place, so that of similar texts only what differs is written. */
export function PlainRows({ doc, options, rows, top = 0, lit }: PlainRowsProps) {
  const split = isSplit(doc, options)
  return (
    <section
      className="first-text"
      aria-label={doc.afterLabel}
      data-shape={doc.shape}
      data-layout={split ? 'split' : 'inline'}
      data-wrap={wrapsLines(options, doc.path)}
    >
      <div style={top === 0 ? undefined : { marginTop: `${top}px` }}>
        {[...rows.entries()].map(([place, row]) => (
          <Row key={place} row={row} split={split} lit={lit} />
        ))}
      </div>
    </section>
  )
}

interface RowProps extends Pick<PlainRowsProps, 'lit'> {
  readonly row: DrawnRow
  readonly split: boolean
}

function Row({ row, split, lit }: RowProps) {
  switch (row.kind) {
    case 'bar':
      return <div className="first-bar" />
    case 'fold':
      return (
        <div className="first-fold">
          {(split ? ['before', 'after'] : ['after']).map((side) => (
            <span key={side}>{plural(row.count, 'hidden line')}</span>
          ))}
        </div>
      )
    case 'line':
      return <Line {...row.line} isLit={isLit(row.line, lit)} />
    case 'pair':
      return (
        <div className="first-pair">
          <Side line={row.before} number={row.before?.before ?? null} isLit={false} />
          <Side line={row.after} number={row.after?.after ?? null} isLit={isLit(row.after, lit)} />
        </div>
      )
  }
}

function isLit(line: FirstLine | null, lit: RowProps['lit']): boolean {
  return line !== null && line.after !== null && lit?.has(line.after) === true
}

/** Takes the parts of a line, so that the same line is not rendered again for a new object. */
const Line = memo(function Line({ kind, before, after, text, isLit }: FirstLine & { readonly isLit: boolean }) {
  return (
    <div className="first-line" data-kind={kind} data-lit={isLit || undefined}>
      <Numbers of={[before, after]} />
      <Code kind={kind} text={text} />
    </div>
  )
})

interface SideProps {
  readonly line: FirstLine | null
  readonly number: number | null
  readonly isLit: boolean
}

function Side({ line, number, isLit }: SideProps) {
  return <SideLine kind={line?.kind ?? 'none'} text={line?.text ?? ''} number={number} isLit={isLit} />
}

interface SideLineProps extends Pick<SideProps, 'number' | 'isLit'> {
  readonly kind: FirstLine['kind'] | 'none'
  readonly text: string
}

const SideLine = memo(function SideLine({ kind, text, number, isLit }: SideLineProps) {
  if (kind === 'none') return <div className="first-line" data-kind="none" />
  return (
    <div className="first-line" data-kind={kind} data-lit={isLit || undefined}>
      <Numbers of={[number]} />
      <Code kind={kind} text={text} />
    </div>
  )
})

function Numbers({ of }: { readonly of: readonly (number | null)[] }) {
  return of.map((number, column) => (
    <span key={column === 0 ? 'before' : 'after'} className="first-number" aria-hidden>
      {number}
    </span>
  ))
}

const SIGNS = { added: '+', deleted: '\u2212', same: '' } as const

function Code({ kind, text }: Pick<FirstLine, 'kind' | 'text'>) {
  return (
    <>
      <span className="first-sign">{SIGNS[kind]}</span>
      <span className="first-code">{text}</span>
    </>
  )
}
