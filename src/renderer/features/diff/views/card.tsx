/** A notice in place of a text: an icon, a title, facts and actions. */
import type { ReactNode } from 'react'
import type { FileVersion } from '../../../../contract/log.ts'
import { formatBytes } from '../../../../contract/words/sizes.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { exists } from '../diff-view-kind.ts'
import { shortHash } from '../file-facts.ts'

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
  const size = (side: FileVersion) => (exists(side) ? formatBytes(side.size) : absenceReason(side))
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

/** Why a side has no content. */
export function absenceReason(side: FileVersion): string {
  return side.kind === 'unknown' ? 'was not covered' : 'did not exist'
}
