/** A state of a file that is told rather than drawn: an icon, a sentence, facts and actions. */
import type { ReactNode } from 'react'
import type { FileVersion } from '../../../../contract/log.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { isThere } from '../face.ts'
import { bytes, shortHash } from '../measures.ts'

interface CardProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function Card({ icon, title, children, actions }: CardProps) {
  return (
    <div className="blank diff-card">
      <Icon name={icon} size="big" />
      <h3>{title}</h3>
      {children}
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  )
}

/** Sizes and hashes of both sides. */
export function SideFacts({ before, after }: { readonly before: FileVersion; readonly after: FileVersion }) {
  const size = (side: FileVersion) => (isThere(side) ? bytes(side.size) : absence(side))
  return (
    <table className="kv-table">
      <thead>
        <tr>
          <td />
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">size</th>
          <td>{size(before)}</td>
          <td>{size(after)}</td>
        </tr>
        <tr>
          <th scope="row">hash</th>
          <td className="mono">{shortHash(before.hash)}</td>
          <td className="mono">{shortHash(after.hash)}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** Why a side shows nothing. */
export function absence(side: FileVersion): string {
  return side.kind === 'unknown' ? 'was not covered then' : 'did not exist'
}
