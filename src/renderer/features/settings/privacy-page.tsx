/** What is recorded, where it is stored, and how to delete it. */
import { useState } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useTask } from '../../client/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextDialog } from '../../ui/confirm-dialog.tsx'
import type { PageProps } from './page-props.ts'
import { FolderRow, PathRow, SettingRow } from './setting-row.tsx'

const NO_LONGER_RECORDED = ' (no longer recorded)'

export function PrivacyPage(props: PageProps) {
  const { host } = useDriftline()
  const { data } = useQuery('app.info', {}, { once: true })
  const { dataDir = '', home = '' } = data ?? {}
  return (
    <>
      <h1>Privacy</h1>
      <p className="muted">
        No account. Nothing leaves {host ?? 'this computer'} unless you add a host or set up a backup.
      </p>
      <div className="set">
        <SettingRow title="What is recorded">
          <ul className="bullets">
            <li>The contents of the files in your recorded folders each time they change, and who changed them.</li>
            <li>From connected agents: your prompts, their answers, tool calls, to-dos and plans.</li>
            <li>Nothing outside those folders; no keystrokes, screens or network traffic.</li>
          </ul>
        </SettingRow>
        <PathRow title="Location" path={dataDir} />
        <SettingRow title="Who can read it">
          Only your user account. The contents are not encrypted; encrypt the disk if you need that.
        </SettingRow>
        <SettingRow
          title="Secrets"
          control={
            <Button size="sm" onClick={() => props.onNavigate({ page: 'capture' })}>
              Exclude files…
            </Button>
          }
        >
          Files that look like credentials, such as <code className="mono">.env</code> or private keys, are recorded so
          that they can be restored. They are masked until you reveal them, and excluded from exports.
        </SettingRow>
        <SettingRow title="Telemetry">None.</SettingRow>
      </div>
      <DeleteHistory {...props} home={home} />
    </>
  )
}

type DeleteHistoryProps = Pick<PageProps, 'workspaces' | 'removed' | 'onRemoved'> & { readonly home: string }

function DeleteHistory({ workspaces, removed, onRemoved, home }: DeleteHistoryProps) {
  const [deleting, setDeleting] = useState<Workspace | null>(null)
  const deletable = [
    ...workspaces.map((summary) => ({ ...summary, note: '' })),
    ...removed.map((workspace) => ({ ...workspace, note: NO_LONGER_RECORDED }))
  ]
  return (
    <>
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

interface DeleteDialogProps {
  readonly workspace: Workspace
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes the whole history of a workspace. This cannot be undone, so the person must type its name. */
function DeleteDialog({ workspace, onDeleted, onClose }: DeleteDialogProps) {
  const { client } = useDriftline()
  const { busy, problem, run } = useTask()
  const deleteHistory = () =>
    client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: true }).then(onDeleted)
  return (
    <TextDialog
      title={`Delete everything recorded for ${workspace.name}?`}
      text={
        <>
          Every earlier version of its files, every run and every conversation is deleted for good. The files in the
          folder do not change. Type <b>{workspace.name}</b> to confirm.
        </>
      }
      label="Folder name"
      confirmLabel="Delete history"
      danger
      invalidReason={(value) => (value !== workspace.name ? `type ${workspace.name} first` : busy ? 'deleting…' : null)}
      problem={problem}
      onConfirm={() => void run(deleteHistory)}
      onClose={onClose}
    />
  )
}
