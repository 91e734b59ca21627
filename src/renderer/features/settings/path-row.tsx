/** A path on this computer with a Copy button, and an Open button if the host can open it. */

import { shortPath } from '../../../contract/words/paths.ts'
import { useDriftline } from '../../client/context.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SettingRow } from './setting-row.tsx'

interface PathRowProps {
  readonly title: string
  readonly path: string
  readonly home: string
}

export function PathRow({ title, path, home }: PathRowProps) {
  const { platform } = useDriftline()
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
      <span className="mono cap path">{shortPath(path, home)}</span>
    </SettingRow>
  )
}
