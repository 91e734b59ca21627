/** A recorded folder in a list of the settings: its name, a line about it, and what can be done with it. */
import type { ReactNode } from 'react'

interface FolderRowProps {
  readonly name: string
  /** The line is cut where it is too long. */
  readonly about: string
  readonly children: ReactNode
}

export function FolderRow({ name, about, children }: FolderRowProps) {
  return (
    <li className="setting">
      <div className="grow">
        <p className="n">{name}</p>
        <p className="d ell">{about}</p>
      </div>
      {children}
    </li>
  )
}
