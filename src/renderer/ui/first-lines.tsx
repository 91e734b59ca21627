/** The first lines of a list, and the number of the others. */
import type { ReactNode } from 'react'
import { plural } from '../../contract/words/numbers.ts'

interface FirstLinesProps<T> {
  readonly items: readonly T[]
  readonly limit: number
  readonly className: string
  /** Singular noun for the lines not shown: "other file". */
  readonly restNoun: string
  /** Renders one line as `li` with a key. */
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
