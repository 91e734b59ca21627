/** What is recorded, where it is stored, and how to delete it. */

import { useState } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { FolderRow } from './folder-row.tsx'
import type { PageProps } from './page-props.ts'
import { PathRow } from './path-row.tsx'
import { SettingRow } from './setting-row.tsx'

const NO_LONGER_RECORDED = ' (no longer recorded)'

export function PrivacyPage({ dataDir, home, workspaces, removed, onNavigate, onRemoved }: PageProps) {
  const [deleting, setDeleting] = useState<Workspace | null>(null)
  const deletable = [
    ...workspaces.map((summary) => ({ ...summary, note: '' })),
    ...removed.map((workspace) => ({ ...workspace, note: NO_LONGER_RECORDED }))
  ]
  return (
    <>
      <h1>Privacy</h1>
      <p className="muted">Everything stays on this computer. No account, no network requests.</p>
      <div className="set">
        <SettingRow title="What is recorded">
          <ul className="plain">
            <li>The contents of the files in your recorded folders each time they change, and who changed them.</li>
            <li>From connected agents: your prompts, their answers, tool calls, to-dos and plans.</li>
            <li>Nothing outside those folders; no keystrokes, screens or network traffic.</li>
          </ul>
        </SettingRow>
        <PathRow title="Location" path={dataDir} home={home} />
        <SettingRow title="Who can read it">
          Only your user account. The contents are not encrypted; encrypt the disk if you need that.
        </SettingRow>
        <SettingRow
          title="Secrets"
          control={
            <Button size="sm" onClick={() => onNavigate({ page: 'capture' })}>
              Exclude files…
            </Button>
          }
        >
          Files that look like credentials, such as <code className="mono">.env</code> or private keys, are recorded so
          that they can be restored. They are masked until you reveal them, and excluded from exports.
        </SettingRow>
        <SettingRow title="Telemetry">None.</SettingRow>
      </div>
      <h2 className="label settings-label">Delete history</h2>
      {deletable.length === 0 ? (
        <p className="small muted settings-after">Nothing is recorded.</p>
      ) : (
        <ul className="set">
          {deletable.map((workspace) => (
            <FolderRow
              key={workspace.id}
              name={workspace.name}
              about={`${shortPath(workspace.root, home)}${workspace.note}`}
            >
              <Button
                size="sm"
                aria-label={`Delete everything recorded for ${workspace.name}…`}
                onClick={() => setDeleting(workspace)}
              >
                Delete everything recorded…
              </Button>
            </FolderRow>
          ))}
        </ul>
      )}
      {deleting ? (
        <DeleteDialog
          workspace={deleting}
          onDeleted={() => {
            setDeleting(null)
            onRemoved(deleting.id)
          }}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </>
  )
}
