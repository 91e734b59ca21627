/** The first screen of a window, desktop settings, and the recorded folders. */
import { useState } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useHome } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { StopRecordingDialog } from '../workspace/folder-dialogs.tsx'
import { BrakeSettings } from './brake-settings.tsx'
import { BrowserNotifications } from './browser-notifications.tsx'
import type { PageProps } from './page-props.ts'
import { FolderRow } from './setting-row.tsx'
import { DESKTOP, PreferenceRow, START, StoredRow } from './settings-table.tsx'
import { TestSettings } from './test-settings.tsx'

export function GeneralPage({ workspace, workspaces, onRemoved }: PageProps) {
  const { platform } = useDriftline()
  const home = useHome()
  const [removing, setRemoving] = useState<WorkspaceSummary | null>(null)
  return (
    <>
      <h1>General</h1>
      <p className="muted">These settings apply to all windows.</p>
      <div className="set">
        <PreferenceRow setting={START} />
      </div>
      {platform.kind === 'electron' ? (
        <>
          <h2 className="label settings-label">On this desktop</h2>
          <div className="set">
            {DESKTOP.map((setting) => (
              <StoredRow key={setting.key} setting={setting} />
            ))}
          </div>
        </>
      ) : (
        <>
          <h2 className="label settings-label">In this browser</h2>
          <div className="set">
            <BrowserNotifications />
          </div>
        </>
      )}
      <BrakeSettings workspace={workspace} />
      <TestSettings workspace={workspace} />
      <h2 className="label settings-label">Recorded folders</h2>
      {workspaces.length === 0 ? (
        <p className="small muted settings-after">None yet. Drop a project folder on the window.</p>
      ) : (
        <ul className="set">
          {workspaces.map((workspace) => (
            <FolderRow
              key={workspace.id}
              name={workspace.name}
              about={`${shortPath(workspace.root, home)}${workspace.folder === 'missing' ? ' (not found)' : ''}`}
            >
              <Button size="sm" aria-label={`Stop recording ${workspace.name}…`} onClick={() => setRemoving(workspace)}>
                Stop recording…
              </Button>
            </FolderRow>
          ))}
        </ul>
      )}
      {removing ? (
        <StopRecordingDialog
          workspace={removing}
          onDone={() => {
            setRemoving(null)
            onRemoved(removing.id)
          }}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </>
  )
}
