/** The rows of the settings: a title, a description, and a control at the right. */
import type { ReactNode } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import { useDriftline } from '../../client/context.tsx'
import { useHome } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

interface SettingRowProps {
  readonly title: string
  /** For the control's `aria-labelledby`. */
  readonly id?: string
  readonly children?: ReactNode
  readonly control?: ReactNode
}

export function SettingRow({ title, id, children, control }: SettingRowProps) {
  return (
    <div className="setting">
      <div className="grow setting-text">
        <p className="set-title" id={id}>
          {title}
        </p>
        {children ? <div className="set-about">{children}</div> : null}
      </div>
      {control}
    </div>
  )
}

interface FolderRowProps {
  readonly name: string
  /** Details. */
  readonly about: string
  readonly children: ReactNode
}

/** A workspace in a list. */
export function FolderRow({ name, about, children }: FolderRowProps) {
  return (
    <li className="setting">
      <div className="grow setting-text">
        <p className="set-title">{name}</p>
        <p className="set-about">{about}</p>
      </div>
      {children}
    </li>
  )
}

/** A path on this computer with a Copy button, and an Open button if the host can open it. */
export function PathRow({ title, path }: { readonly title: string; readonly path: string }) {
  const { platform } = useDriftline()
  const home = useHome()
  return (
    <SettingRow
      title={title}
      control={
        <>
          {platform.reveal ? (
            <Button size="sm" onClick={() => void platform.reveal?.(path)}>
              Open
            </Button>
          ) : null}
          <CopyButton label="Copy path" text={path} />
        </>
      }
    >
      <span className="mono cap set-path">{shortPath(path, home)}</span>
    </SettingRow>
  )
}
