/** A list that may be long: its first lines, and how many more there are. */
import type { ReactNode } from 'react'
import { plural } from './format.ts'

interface FirstLinesProps<T> {
  readonly items: readonly T[]
  readonly most: number
  readonly className: string
  /** What the rest are called: "other file". */
  readonly other: string
  /** One line, an `li` with its key. */
  readonly children: (item: T) => ReactNode
}

export function FirstLines<T>({ items, most, className, other, children }: FirstLinesProps<T>) {
  return (
    <>
      <ul className={className}>{items.slice(0, most).map(children)}</ul>
      {items.length > most ? <p className="small muted">and {plural(items.length - most, other)}</p> : null}
    </>
  )
}
