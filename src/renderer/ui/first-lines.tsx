/** A list that may be long: its first lines, and how many more there are. */
import type { ReactNode } from 'react'
import { plural } from './format.ts'

interface FirstLinesProps<T> {
  readonly items: readonly T[]
  readonly limit: number
  readonly className: string
  /** What the rest are called: "other file". */
  readonly restNoun: string
  /** One line, an `li` with its key. */
  readonly children: (item: T) => ReactNode
}

export function FirstLines<T>({ items, limit, className, restNoun, children }: FirstLinesProps<T>) {
  return (
    <>
      <ul className={className}>{items.slice(0, limit).map(children)}</ul>
      {items.length > limit ? <p className="small muted">and {plural(items.length - limit, restNoun)}</p> : null}
    </>
  )
}
