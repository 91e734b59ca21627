/** Facts in one line, separated by dots. */
import { Fragment, type ReactNode } from 'react'

/** Empty facts are left out. */
export function Dotted({ facts }: { readonly facts: readonly ReactNode[] }) {
  return facts.filter(Boolean).map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one line have no other identity.
    <Fragment key={index}>
      {index > 0 ? <span className="dot-sep" /> : null}
      {fact}
    </Fragment>
  ))
}
