/** The brake: on or off, and how many files stop a run, for all folders and for the open one. */
import { SETTINGS } from '../../../contract/settings.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { forFolder, StoredRow, type StoredSetting } from './settings-table.tsx'

const FILES = ['50', '100', '200', '500', '1000', '5000']
const filesOptions = (unset: string) => [
  { value: '', label: unset },
  ...FILES.map((value) => ({ value, label: filesLabel(value) }))
]

function filesLabel(value: string): string {
  return `${value} files`
}

const BRAKE: StoredSetting = {
  key: 'brake',
  title: 'Stop a run that deletes many files',
  about:
    'Its processes are frozen where the system can, and its agent may not change files until you decide. Files that git ignores, generated files and switches of branches do not count.',
  initial: SETTINGS.brake.initial,
  values: { on: 'on', off: 'off' }
}

const BRAKE_FILES: StoredSetting = {
  key: 'brake.files',
  title: 'How many files stop a run',
  about:
    'Counted within ten seconds. Automatic means 200 files; in a folder of more than 2,000 files a tenth of them, 1,000 at most; in one of fewer than 400 files half of them, 50 at least.',
  initial: '',
  values: filesOptions('Automatic'),
  control: 'list',
  unlistedLabel: filesLabel
}

export function BrakeSettings({ workspace }: { readonly workspace: WorkspaceSummary | null }) {
  return (
    <>
      <h2 className="label settings-label">Brake</h2>
      <div className="set">
        <StoredRow setting={BRAKE} />
        <StoredRow setting={BRAKE_FILES} />
        {workspace ? <FolderRows workspace={workspace} /> : null}
      </div>
    </>
  )
}

function FolderRows({ workspace: { id, name } }: { readonly workspace: WorkspaceSummary }) {
  return (
    <>
      <StoredRow setting={forFolder('brake', id, `Stop runs in ${name}`)} />
      <StoredRow
        setting={{
          key: `brake.files/${id}`,
          title: `How many files stop a run in ${name}`,
          initial: '',
          values: filesOptions('As above'),
          control: 'list',
          unlistedLabel: filesLabel
        }}
      />
    </>
  )
}
