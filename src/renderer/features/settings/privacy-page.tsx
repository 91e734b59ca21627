/** What is recorded, where it lies, and how it is deleted for good. */
import { useState } from 'react'
import type { Workspace } from '../../../contract/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { shortPath } from '../../ui/format.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { FolderRow } from './folder-row.tsx'
import type { PageProps } from './page-props.ts'
import { PlaceRow } from './place-row.tsx'
import { SettingRow } from './setting-row.tsx'

const NOT_RECORDED = ' (not recorded any more)'

export function PrivacyPage({ dataDir, home, workspaces, left, onPlace, onForgotten }: PageProps) {
  const [deleting, setDeleting] = useState<Workspace | null>(null)
  const kept = [
    ...workspaces.map((summary) => ({ ...summary, note: '' })),
    ...left.map((one) => ({ ...one, note: NOT_RECORDED }))
  ]
  return (
    <>
      <h1>Privacy</h1>
      <p className="muted">
        Everything stays on this computer. Driftline has no account, sends nothing and asks nobody.
      </p>
      <div className="set">
        <SettingRow title="What is recorded">
          <ul className="plain">
            <li>The contents of the files in the folders you gave, each time they change, and who changed them.</li>
            <li>Of connected agents: your prompts, their answers, their tool calls, todos and plans.</li>
            <li>Nothing outside those folders, and no keystrokes, screens or network traffic.</li>
          </ul>
        </SettingRow>
        <PlaceRow title="Where it lies" path={dataDir} home={home} />
        <SettingRow title="Who can read it">
          Your user account alone: the folder is readable by nobody else. The contents are not encrypted; where that
          matters, encrypt the disk.
        </SettingRow>
        <SettingRow
          title="Secrets"
          control={
            <Button size="sm" onClick={() => onPlace({ page: 'capture' })}>
              Never keep some…
            </Button>
          }
        >
          Files that look like they hold credentials, such as <code className="mono">.env</code> or private keys, are
          recorded so that they can be restored, but shown masked until you ask for them, and left out of exports.
        </SettingRow>
        <SettingRow title="Telemetry">There is none.</SettingRow>
      </div>
      <h2 className="label settings-label">Delete what was recorded</h2>
      {kept.length === 0 ? (
        <p className="small muted settings-after">Nothing is recorded.</p>
      ) : (
        <ul className="set">
          {kept.map((one) => (
            <FolderRow key={one.id} name={one.name} about={`${shortPath(one.root, home)}${one.note}`}>
              <Button
                size="sm"
                aria-label={`Delete everything recorded for ${one.name}…`}
                onClick={() => setDeleting(one)}
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
            onForgotten(deleting.id)
          }}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </>
  )
}
