/** Says that an older version is compared with the disk, and offers to restore it or to go back to the change. */
import type { PathVersion } from '../../../contract/log.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { versionWhen, versionWho } from './version-words.ts'

interface VersionNoticeProps {
  readonly version: PathVersion
  readonly onRestore: () => void
  readonly onBack: () => void
}

export function VersionNotice({ version, onRestore, onBack }: VersionNoticeProps) {
  return (
    <div className="notice version-notice">
      <Icon name="history" />
      <span className="ell">
        {versionWhen(version, Date.now())}, {versionWho(version)} → on disk now
      </span>
      <span className="grow" />
      <Button size="sm" onClick={onRestore}>
        Restore this version…
      </Button>
      <Button size="sm" kind="plain" onClick={onBack}>
        Back to the change
      </Button>
    </div>
  )
}
