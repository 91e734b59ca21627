/** Shown when the initial snapshot of a folder is complete. */

import { plural } from '../../../contract/words/numbers.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface ProtectedProps {
  readonly workspace: Workspace
  readonly home: string
  readonly onOpen: (workspace: string) => void
}

export function Protected({ workspace, home, onOpen }: ProtectedProps) {
  const status = useQuery('workspace.status', { workspace: workspace.id, check: false })
  const covered = status.data?.covered
  return (
    <div className="zone work-zone">
      <div className="row">
        <span className="c-ok">
          <Icon name="okc" />
        </span>
        <b>{workspace.name} is protected</b>
        <span className="muted small ell">{shortPath(workspace.root, home)}</span>
        <span className="grow" />
        <span className="small muted num nowrap">
          {covered ? (
            <>
              {plural(covered.files, 'file')}
              <span className="dot-sep" />
              {formatBytes(covered.bytes)}
            </>
          ) : null}
        </span>
      </div>
      <p>Every change is now recorded. Nothing in the folder was changed.</p>
      <div className="row">
        <Button kind="primary" onClick={() => onOpen(workspace.id)}>
          Open {workspace.name}
        </Button>
      </div>
    </div>
  )
}
