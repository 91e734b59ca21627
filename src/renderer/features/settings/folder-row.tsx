/** A workspace in a settings list: name, one line of details, and its buttons. */
import type { ReactNode } from 'react'

interface FolderRowProps {
  readonly name: string
  /** Details; truncated to one line. */
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
