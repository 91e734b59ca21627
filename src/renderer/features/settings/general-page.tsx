/** The first screen of a window, desktop settings, and the recorded folders. */

import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useDriftline } from '../../client/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { DesktopSection } from './desktop-section.tsx'
import { FolderRow } from './folder-row.tsx'
import type { PageProps } from './page-props.ts'
import { SettingRow } from './setting-row.tsx'

const START_OPTIONS = [
  { value: 'list', label: 'All folders' },
  { value: 'last', label: 'Last folder' }
] as const

export function GeneralPage({ workspaces, home, onRemoved }: PageProps) {
  const { client, platform } = useDriftline()
  const { start, set } = usePreferences()
  const [removing, setRemoving] = useState<WorkspaceSummary | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const close = () => {
    setRemoving(null)
    setProblem(null)
  }
  return (
    <>
      <h1>General</h1>
      <p className="muted">These settings apply to all windows.</p>
      <div className="set">
        <SettingRow
          title="New windows show"
          control={
            <Segmented
              label="New windows show"
              options={START_OPTIONS}
              value={start}
              onChange={(value) => set('start', value)}
            />
          }
        >
          A folder you open by name, from the terminal or by drag and drop always opens.
        </SettingRow>
      </div>
      {platform.kind === 'electron' ? <DesktopSection /> : null}
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
        <ConfirmDialog
          title={`Stop recording ${removing.name}?`}
          confirmLabel="Stop recording"
          problem={problem}
          onConfirm={() => {
            client.call('workspaces.remove', { workspace: removing.id, deleteHistory: false }).then(
              () => {
                close()
                onRemoved(removing.id)
              },
              (thrown: unknown) => setProblem(toErrorShape(thrown).message)
            )
          }}
          onClose={close}
        >
          <p>
            The folder is removed from the list; its files do not change. Its history is kept and returns when you add
            the folder again. To delete the history, go to Privacy.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
